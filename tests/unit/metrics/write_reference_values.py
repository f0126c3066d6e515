"""Writes reference_values.json: what other people's programs give for small inputs, for those that tests do without.

Not a test, and not run with them. Beside numpy it needs: biotite lifelines pycocotools pymoo rdkit rouge-score
sacrebleu scib-metrics scikit-image scikit-survival tmtools. Run it where these are installed:

    python tests/unit/metrics/write_reference_values.py
"""
# mypy: ignore-errors
# The packages that it needs are not installed where types are checked.

from __future__ import annotations

import contextlib
import importlib.metadata
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Case = dict[str, Any]
CASES: list[Callable[[np.random.Generator], list[Case]]] = []


def cases(make: Callable[[np.random.Generator], list[Case]]) -> Callable[[np.random.Generator], list[Case]]:
    CASES.append(make)
    return make


def case(metric: str, by: str, reference: Any, prediction: Any, value: float, /, **parameters: Any) -> Case:
    """One row of the file; ``by`` is the package that gave ``value``."""
    plain = [one.tolist() if isinstance(one, np.ndarray) else one for one in (reference, prediction)]
    return {
        "metric": metric,
        "by": f"{by} {importlib.metadata.version(by)}",
        "reference": plain[0],
        "prediction": plain[1],
        "parameters": {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in parameters.items()},
        "value": float(value),
    }


@cases
def survival(random: np.random.Generator) -> list[Case]:
    from lifelines.utils import concordance_index
    from sksurv.metrics import concordance_index_censored, integrated_brier_score

    made = []
    for size in (12, 40):
        times = random.integers(1, 15, size).astype(float)
        events = random.random(size) < 0.6
        risk = np.round(random.normal(size=size), 1)
        rows = np.stack([times, events], axis=1)
        made.append(
            case(
                "concordance_index",
                "scikit-survival",
                rows,
                risk,
                concordance_index_censored(events, times, risk)[0],
            )
        )
        continuous = np.round(random.exponential(5.0, size), 4)
        rows = np.stack([continuous, events], axis=1)
        made.append(case("concordance_index", "lifelines", rows, risk, concordance_index(continuous, -risk, events)))
        known = np.array(list(zip(events, times, strict=True)), dtype=[("event", bool), ("time", float)])
        at = np.array([2.0, 3.0, 5.5, 7.0, 9.0])
        curves = np.round(np.sort(random.random((size, at.size)), axis=1)[:, ::-1], 4)
        rows = np.stack([times, events], axis=1)
        value = integrated_brier_score(known, known, curves, at)
        made.append(case("integrated_brier", "scikit-survival", rows, curves, value, times=at))
    return made


@cases
def structures(random: np.random.Generator) -> list[Case]:
    import biotite.structure as struc
    import tmtools

    made = []
    for size, noise in ((30, 0.3), (60, 1.0), (80, 0.6)):
        steps = random.normal(size=(size, 3))
        steps *= 3.8 / np.linalg.norm(steps, axis=1, keepdims=True)
        chain = np.cumsum(steps, axis=0)
        turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
        turn *= np.sign(np.linalg.det(turn))
        moved = (chain + random.normal(scale=noise, size=chain.shape)) @ turn + 7.0
        moved[: size // 6] += random.normal(scale=6.0, size=3)
        chain, moved = np.round(chain, 3), np.round(moved, 3)
        atoms = [struc.AtomArray(size) for _ in range(2)]
        for array, points in zip(atoms, (chain, moved), strict=True):
            array.coord = points
            array.res_id = np.arange(1, size + 1)
            array.atom_name[:] = "CA"
            array.element[:] = "C"
        laid, _ = struc.superimpose(atoms[0], atoms[1])
        made.append(case("rmsd", "biotite", chain, moved, struc.rmsd(atoms[0], laid)))
        made.append(case("lddt", "biotite", chain, moved, struc.lddt(atoms[0], atoms[1], aggregation="all")))
        found = tmtools.tm_align(moved, chain, "A" * size, "A" * size)
        if found.seqxA == found.seqyA == "A" * size:  # aligned the i-th with the i-th
            made.append(case("tm_score", "tmtools", chain, moved, found.tm_norm_chain2))
    return made


@cases
def images(random: np.random.Generator) -> list[Case]:
    from skimage.metrics import normalized_root_mse, peak_signal_noise_ratio, structural_similarity

    made = []
    for shape in ((14, 17), (13, 12, 3)):
        one = np.round(random.random(shape), 3)
        other = np.round(np.clip(one + random.normal(scale=0.1, size=shape), 0, 1), 3)
        value = structural_similarity(
            one,
            other,
            data_range=1.0,
            gaussian_weights=True,
            sigma=1.5,
            use_sample_covariance=False,
            channel_axis=2 if len(shape) == 3 else None,
        )
        made.append(case("ssim", "scikit-image", one, other, value, data_range=1.0))
        value = peak_signal_noise_ratio(one, other, data_range=1.0)
        made.append(case("psnr", "scikit-image", one, other, value, data_range=1.0))
        value = normalized_root_mse(one, other, normalization="min-max")
        made.append(case("nrmse", "scikit-image", one, other, value))
        value = normalized_root_mse(one, other, normalization="mean")
        made.append(case("nrmse", "scikit-image", one, other, value, by="mean"))
        value = normalized_root_mse(one, other, normalization="euclidean")
        made.append(case("nrmse", "scikit-image", one, other, value, by="rms"))
    return made


@cases
def texts(random: np.random.Generator) -> list[Case]:
    import sacrebleu
    from rouge_score.rouge_scorer import RougeScorer

    truth = [
        "The protein folds, in 3.5 ms, to its native state (see Fig. 2).",
        'She said: "it\'s 1,234-fold faster & cheaper than before" - and left.',
        "a b c d e f g",
        "In the cells of the cortex; the signal fell by 20%!",
    ]
    given = [
        "The protein folds in 3.5 ms to a native state (see Fig. 2).",
        'She said: "it is 1,234-fold faster &amp; cheaper" - and she left.',
        "g f e d c b a",
        "In cells of the cortex the signal did fall by 20%.",
    ]
    scorer = RougeScorer(["rougeL"], use_stemmer=False)
    made = []
    for rows in ([0, 1, 2, 3], [0], [1], [3, 2], [2]):
        one, other = [truth[row] for row in rows], [given[row] for row in rows]
        made.append(case("bleu", "sacrebleu", one, other, sacrebleu.corpus_bleu(other, [one]).score))
        value = np.mean([scorer.score(a, b)["rougeL"].fmeasure for a, b in zip(one, other, strict=True)])
        made.append(case("rouge_l", "rouge-score", one, other, value))
    words = ["x", "y", "z.", "1.5", "a-b", "x,y", "(z)"]
    for _ in range(5):
        one = [" ".join(random.choice(words, 9)) for _ in range(3)]
        other = [" ".join(random.choice(words, int(random.integers(4, 12)))) for _ in range(3)]
        made.append(case("bleu", "sacrebleu", one, other, sacrebleu.corpus_bleu(other, [one]).score))
    return made


@cases
def molecules(random: np.random.Generator) -> list[Case]:
    from rdkit import Chem, DataStructs
    from rdkit.Chem import rdFingerprintGenerator
    from rdkit.ML.Scoring.Scoring import CalcBEDROC, CalcEnrichment

    maker = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)
    pairs = [("CCO", "CCN"), ("c1ccccc1O", "c1ccccc1N"), ("CC(=O)Oc1ccccc1C(=O)O", "OC(=O)c1ccccc1O")]
    made = []
    for one, other in pairs:
        bits = [maker.GetFingerprint(Chem.MolFromSmiles(smiles)) for smiles in (one, other)]
        made.append(case("tanimoto", "rdkit", [one], [other], DataStructs.TanimotoSimilarity(*bits)))
    for size, share in ((60, 0.2), (200, 0.05)):
        active = (random.random(size) < share).astype(int)
        active[0] = 1
        scores = np.round(random.normal(size=size) + active, 6)
        ranked = [[int(label)] for _, label in sorted(zip(-scores, active, strict=True))]
        made.append(case("bedroc", "rdkit", active, scores, CalcBEDROC(ranked, 0, 20.0)))
        made.append(case("bedroc", "rdkit", active, scores, CalcBEDROC(ranked, 0, 80.5), alpha=80.5))
        for fraction in (0.05, 0.1):
            value = CalcEnrichment(ranked, 0, [fraction])[0]
            made.append(case("enrichment_factor", "rdkit", active, scores, value, fraction=fraction))
    return made


@cases
def detections(random: np.random.Generator) -> list[Case]:
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    made = []
    for images, objects in ((3, 4), (6, 5)):
        truth, given = [], []
        for image in range(images):
            for _ in range(objects):
                kind = int(random.integers(2))
                x, y = random.integers(0, 80, 2)
                width, height = random.integers(10, 40, 2)
                truth.append([image, kind, x, y, x + width, y + height])
                for _ in range(int(random.integers(0, 3))):
                    dx, dy, dw, dh = random.integers(-6, 7, 4)
                    score = round(float(random.random()), 5)
                    box = [x + dx, y + dy, x + dx + width + dw, y + dy + height + dh]
                    given.append([image, kind if random.random() < 0.9 else 1 - kind, score, *box])
        coco = COCO()
        coco.dataset = {
            "images": [{"id": image} for image in range(images)],
            "categories": [{"id": kind} for kind in (0, 1)],
            "annotations": [
                {
                    "id": number + 1,
                    "image_id": row[0],
                    "category_id": row[1],
                    "bbox": [int(row[2]), int(row[3]), int(row[4] - row[2]), int(row[5] - row[3])],
                    "area": int((row[4] - row[2]) * (row[5] - row[3])),
                    "iscrowd": 0,
                }
                for number, row in enumerate(truth)
            ],
        }
        coco.createIndex()
        found = coco.loadRes(
            [
                {
                    "image_id": row[0],
                    "category_id": row[1],
                    "score": row[2],
                    "bbox": [int(row[3]), int(row[4]), int(row[5] - row[3]), int(row[6] - row[4])],
                }
                for row in given
            ]
        )
        evaluation = COCOeval(coco, found, "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
        rows = [np.array(table, dtype=float) for table in (truth, given)]
        made.append(case("detection_map", "pycocotools", *rows, evaluation.stats[0]))
        made.append(case("detection_map50", "pycocotools", *rows, evaluation.stats[1]))
    return made


@cases
def hypervolumes(random: np.random.Generator) -> list[Case]:
    from pymoo.indicators.hv import HV

    made = []
    for size, width in ((8, 2), (9, 3), (7, 4)):
        points = np.round(random.random((size, width)), 4)
        corner = np.full(width, 0.9)
        made.append(case("hypervolume", "pymoo", corner, points, HV(ref_point=corner)(points)))
    return made


@cases
def integration(random: np.random.Generator) -> list[Case]:
    from scib_metrics import clisi_knn, ilisi_knn
    from scib_metrics.nearest_neighbors import NeighborsResults

    made = []
    for shift in (0.5, 3.0):
        labels = random.integers(0, 3, 60)
        points = np.round(random.normal(size=(60, 2)) + shift * labels[:, None], 4)
        apart = np.linalg.norm(points[:, None] - points[None], axis=2)
        order = np.argsort(apart, axis=1, kind="stable")[:, :31]
        near = NeighborsResults(indices=order, distances=np.take_along_axis(apart, order, axis=1))
        value = ilisi_knn(near, labels, perplexity=10.0, scale=True)
        made.append(case("ilisi", "scib-metrics", labels, points, value, perplexity=10.0))
        value = clisi_knn(near, labels, perplexity=10.0, scale=True)
        made.append(case("clisi", "scib-metrics", labels, points, value, perplexity=10.0))
    return made


def main() -> None:
    rows: list[Case] = []
    for make in CASES:
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                rows += make(np.random.default_rng(20_240_601))
        except ImportError as error:
            sys.stderr.write(f"{make.__name__}: {error}\n")
    text = "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n"
    Path(__file__).with_name("reference_values.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
