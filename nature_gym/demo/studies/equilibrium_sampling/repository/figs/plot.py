import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt

fig, axes = plt.subplots(1, 3, figsize=(8, 2.8), sharey=True)
for ax, t in zip(axes, ("cold", "warm", "hot")):
    xy = np.load(f"results/samples/brew_{t}.npz")["xy"][0]
    ax.hexbin(xy[:, 0], xy[:, 1], gridsize=40, bins="log", cmap="viridis")
    ax.set_title(t)
    ax.set_xlabel("x")
axes[0].set_ylabel("y")
fig.tight_layout()
fig.savefig("figs/samples.png", dpi=60)
