"""What a file's first bytes say of who made it."""

from __future__ import annotations

from pathlib import Path

import pytest

from nature_gym.cut.contents import content_evidence, is_prose
from nature_gym.cut.folder import cut_folder
from nature_gym.cut.names import CATEGORIES
from nature_gym.cut.tree import Entry, kind_of
from tests.unit.cut.trees import grow


def _entry(path: str, head: bytes) -> Entry:
    return Entry(path, len(head), kind_of(path, head), head)


def _best(path: str, head: bytes) -> str:
    sums: dict[str, float] = {}
    for _, weights in content_evidence(_entry(path, head)):
        for category, weight in weights.items():
            sums[category] = sums.get(category, 0.0) + weight
    return max(CATEGORIES, key=lambda category: sums.get(category, 0.0)) if sums else ""


@pytest.mark.parametrize(
    ("path", "head", "category"),
    [
        ("a.csv", b"id,y_true,y_pred\n1,0.2,0.3\n", "algorithm_output"),
        ("a.csv", b"epoch,train_loss,lr\n1,0.2,0.3\n", "algorithm_output"),
        ("a.tsv", b"model\tAUC\tAUPR\nx\t0.9\t0.8\n", "algorithm_output"),
        ("a.json", b'{"val_auc": 0.9, "test_f1": 0.7}', "algorithm_output"),
        ("a.csv", b"gene,logFC,padj\nA,1,0.01\n", "algorithm_output"),
        ("a.csv", b"smiles,split\nCC,train\n", "data_preparation"),
        ("a.csv", b"feat_0,feat_1,feat_2,feat_3,feat_4,feat_5,feat_6,feat_7\n", "algorithm_preprocessing_output"),
        ("a.txt", b"Epoch 1 loss: 0.3 acc: 0.5\nEpoch 2 loss: 0.2 acc: 0.6\n", "algorithm_output"),
        ("a.txt", b"--epochs\n10\n--lr\n0.1\n", "irrelevant"),
        ("a.pkl", b"\x80\x03csklearn.ensemble.forest\nRandomForestClassifier\nq\x00", "algorithm_output"),
        ("a.pkl", b"\x80\x03csklearn.preprocessing.data\nStandardScaler\nq\x00", "algorithm_preprocessing_output"),
        ("a.pt", b"PK\x03\x04\x00archive/data.pkl\x80\x02ccollections\nOrderedDict\n", "algorithm_output"),
    ],
)
def test_names_and_lines_of_a_run_tell_it(path: str, head: bytes, category: str) -> None:
    assert _best(path, head) == category


@pytest.mark.parametrize(
    ("path", "head"),
    [
        ("a.csv", b"id,age,weight,outcome\n1,2,3,4\n"),
        ("a.csv", b"0.1,0.2,0.3\n0.4,0.5,0.6\n"),
        ("a.csv", b"step,acceleration\n1,0.2\n"),
        ("a.txt", b"From: somebody\nI would sell:\n--a deck\n-a car\n"),
        ("a.pkl", b"\x80\x03cnumpy.core.multiarray\n_reconstruct\n"),
        ("a.csv", b""),
    ],
)
def test_what_was_measured_says_nothing_of_a_run(path: str, head: bytes) -> None:
    assert not _best(path, head)


SENTENCES = "These are the data of the study. You can find them on the web, and they should be put in this folder.\n"


def test_sentences_are_told_from_lists() -> None:
    assert is_prose(_entry("a.txt", SENTENCES.encode()))
    assert not is_prose(_entry("a.txt", b"AAAS\nAAMP\nAARS\n" * 9))
    assert not is_prose(_entry("a.csv", SENTENCES.encode()))
    assert not is_prose(Entry("a.txt", 1_000_000, "text", SENTENCES.encode()))


def test_a_note_is_irrelevant_and_a_collection_of_texts_or_one_that_is_read_is_not(tmp_path: Path) -> None:
    root = grow(
        tmp_path,
        {
            "data/where.txt": SENTENCES,
            "texts/used.txt": SENTENCES,
            "read.py": "text = open('texts/used.txt').read()\n",
            **{f"data/collection/{number}.txt": SENTENCES for number in range(9)},
        },
    )
    said = {each.path: each.category for each in cut_folder(root).files}
    assert said["data/where.txt"] == "irrelevant"
    assert said["texts/used.txt"] == "initial_state"
    assert {said[f"data/collection/{number}.txt"] for number in range(9)} == {"initial_state"}
