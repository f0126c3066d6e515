"""Figures of the paper (needs matplotlib): spectra of the best designs, bars of the main table."""
import json

import matplotlib
import numpy as np
import pandas as pd

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

import sys  # noqa: E402

sys.path.insert(0, ".")
from simulator import tmm  # noqa: E402

designs = pd.read_csv("results/designs/filmscout.csv").set_index("target")
layers = [c for c in designs.columns if c.endswith("_nm")]
fig, axes = plt.subplots(1, 3, figsize=(9, 2.6), sharey=True)
for ax, family in zip(axes, ("antireflection", "edge", "splitter")):
    with open(f"data/targets/{family}.json") as f:
        target = json.load(f)["targets"][2]
    ax.plot(tmm.WAVELENGTHS, tmm.reflectance(designs.loc[target["name"], layers].to_numpy(float))[0], "k")
    for b in target["bands"]:
        ax.plot([b["from_nm"], b["to_nm"]], [b["reflectance"]] * 2, "r", lw=3, alpha=0.5)
    ax.set_title(target["name"], fontsize=8)
    ax.set_xlabel("wavelength (nm)")
axes[0].set_ylabel("reflectance")
fig.tight_layout()
fig.savefig("figures/spectra.png", dpi=80)

main = pd.read_csv("results/main.csv").pivot(index="family", columns="method", values="mean_band_error")
main.plot.bar(figsize=(5, 3))
plt.tight_layout()
plt.savefig("figures/main.png", dpi=80)
