"""Runs the code of a notebook from top to bottom, without Jupyter: python3 run_notebook.py FILE.ipynb"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    cells = json.load(f)["cells"]
names = {"__name__": "__main__"}
for number, cell in enumerate(cells, 1):
    if cell["cell_type"] == "code":
        exec(compile("".join(cell["source"]), "cell %d" % number, "exec"), names)
print("%d cells" % len(cells))
