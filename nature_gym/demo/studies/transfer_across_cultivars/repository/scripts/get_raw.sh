#!/usr/bin/env bash
# the wine recognition data (Forina et al.), CC BY 4.0
set -e
mkdir -p data/raw
curl -fsSL https://archive.ics.uci.edu/ml/machine-learning-databases/wine/wine.data -o data/raw/wine.data
