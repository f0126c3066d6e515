#!/bin/sh
# fetches version 2.0 of the data set (the cold set at another temperature)
set -e
RECORD=97988214
mkdir -p data
for t in cold warm hot; do
  for kind in trajectories reference; do
    curl -fsSL -o "data/${kind}_${t}.npz" "https://zenodo.org/records/${RECORD}/files/${kind}_${t}.npz?download=1"
  done
done
