import pandas as pd

from glyphrank import ROOT


def write_run(name, condition, query_ids, gallery_ids, order):
    """one line a query: its id and the ids of its ten best gallery images"""
    path = ROOT / "runs" / f"{name}.{condition}.csv"
    path.parent.mkdir(exist_ok=True)
    lists = [" ".join(gallery_ids[row]) for row in order]
    pd.DataFrame({"query": query_ids, "ranked": lists}).to_csv(path, index=False)


def read_run(path):
    table = pd.read_csv(path)
    return table["query"].to_numpy(), [line.split() for line in table["ranked"]]
