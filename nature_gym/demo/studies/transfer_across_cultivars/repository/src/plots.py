"""python -m src.plots -> assets/scores.png (matplotlib)"""
import matplotlib
import pandas as pd

matplotlib.use("Agg")
table = pd.read_csv("outputs/scores.csv").pivot(index="test", columns="method", values="macro_f1")
ax = table[["svm", "lda", "coral", "epo", "dapple"]].plot(style="o-", figsize=(4.5, 3))
ax.set_ylabel("macro F1")
ax.figure.tight_layout()
ax.figure.savefig("assets/scores.png", dpi=70)
