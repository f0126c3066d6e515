"""Which of the images named for a query show its symbol."""

import csv
from pathlib import Path
from typing import Any

import numpy as np


def relevance(reference: Any, prediction: Any) -> Any:
    """Symbols of the queries (n,) and ids of images (n, 10) -> (n, 11): hits, and how many of ten there could be.

    Raises ValueError for an image that is not in the gallery, or that is named twice for a query.
    """
    with (Path(__file__).parent / "gallery.csv").open(encoding="utf-8", newline="") as file:
        gallery = {row["sample_id"]: row["symbol"] for row in csv.DictReader(file)}
    symbols = [str(symbol) for symbol in np.asarray(reference).astype(str)]
    rows = []
    for query, (symbol, images) in enumerate(zip(symbols, np.asarray(prediction).tolist(), strict=True)):
        if len(set(images)) != len(images):
            raise ValueError(f"query number {query + 1} names an image twice")
        if unknown := [image for image in images if image not in gallery]:
            raise ValueError(f"{unknown[0][:40]!r} is no image of the gallery")
        possible = min(10, sum(1 for shown in gallery.values() if shown == symbol))
        rows.append([*(float(gallery[image] == symbol) for image in images), possible])
    return np.asarray(rows)
