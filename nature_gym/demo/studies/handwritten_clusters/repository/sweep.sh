#!/bin/sh
# Table 2: other numbers of neighbours
set -e
tmp=$(mktemp -d)
for k in 6 10 20; do
    python graph.py -k $k --out $tmp/graph_$k.npz
    for v in snade no_sharpening; do
        python snade.py --variant $v --graph $tmp/graph_$k.npz --outdir $tmp --name ${v}_k$k
    done
done
python score.py --assignments $tmp --out results/scores_sweep.csv
rm -r $tmp
