"""Runs the code cells of notebooks in order, for machines without Jupyter.

    python tools/run_notebook.py notebooks/02_copan.ipynb [...]
"""
import json
import sys

sys.path.insert(0, ".")
for path in sys.argv[1:]:
    print("==", path)
    scope = {"__name__": "__main__"}
    with open(path) as f:
        for number, cell in enumerate(json.load(f)["cells"]):
            if cell["cell_type"] == "code":
                source = "".join(cell["source"])
                lines = [line for line in source.splitlines() if not line.startswith(("%", "!"))]
                exec(compile("\n".join(lines), f"{path}[{number}]", "exec"), scope)
