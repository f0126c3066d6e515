#!/bin/bash
#SBATCH --job-name=glyphrank
#SBATCH --time=00:10:00
#SBATCH --output=logs/%j.out
module load python/3.11
export PYTHONPATH=src
python scripts/download_symbols.py
python -m glyphrank.landmarks
for e in experiments/*.json; do python run_experiment.py "$e"; done
for b in baselines/*.py; do python $b; done
python evaluate.py
