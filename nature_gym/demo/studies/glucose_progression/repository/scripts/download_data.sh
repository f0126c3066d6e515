#!/bin/bash
# fetch the cohort of the paper from Zenodo
set -e
RECORD=99000421
cd "$(dirname "$0")/.."
curl -L -o data/cohort.csv "https://zenodo.org/records/${RECORD}/files/cohort.csv?download=1"
curl -L -o data/codebook.csv "https://zenodo.org/records/${RECORD}/files/codebook.csv?download=1"
