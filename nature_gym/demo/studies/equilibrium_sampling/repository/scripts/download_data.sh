#!/bin/sh
# fetches version 1.0 of the data set; later versions have other temperatures
set -e
RECORD=97412903
mkdir -p data
for t in cold warm hot; do
  for kind in trajectories reference; do
    curl -fsSL -o "data/${kind}_${t}.npz" "https://zenodo.org/records/${RECORD}/files/${kind}_${t}.npz?download=1"
  done
done
