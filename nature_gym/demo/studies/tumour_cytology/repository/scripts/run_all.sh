#!/usr/bin/env bash
# everything in Table 2, from the feature tables on
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p results checkpoints
python prepare_scores.py
for v in committee uniform whole; do
    python train.py --variant "$v" --scores data/processed/normal_scores.npz
done
python baselines/run_baselines.py
python evaluate.py --out results/table2.csv
