#!/usr/bin/env bash
# everything, from the library to the tables (about 15 s on a laptop core)
set -euo pipefail
cd "$(dirname "$0")"
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}

python scripts/generate_library.py --n 1600 --seed 20210 --out data/library.npz
python scripts/make_targets.py
python -m filmscout.encode
python train_surrogate.py
python run_search.py --method all
python evaluate.py --designs results/designs | tee results/evaluate.log
