"""Row numbers of development and test patients. Written once, for revision 1."""
import random
from pathlib import Path

HERE = Path(__file__).parent
N, N_TEST, SEED = 442, 133, 6

rows = list(range(N))
random.Random(SEED).shuffle(rows)
test = sorted(rows[:N_TEST])
train = sorted(rows[N_TEST:])
(HERE / "test_idx.txt").write_text("".join("%d\n" % i for i in test))
(HERE / "train_idx.txt").write_text("".join("%d\n" % i for i in train))
