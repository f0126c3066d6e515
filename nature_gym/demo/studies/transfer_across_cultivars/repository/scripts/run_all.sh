#!/usr/bin/env bash
set -euo pipefail
OURS=dapple,dapple-noaxes,dapple-hard,dapple-static
python -m src.whiten method=$OURS
python -m src.run method=knn,svm,rf,lda,coral,epo,$OURS
python -m src.score
