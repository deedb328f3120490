"""What aspects stand for, where that is known: runs the program, writes aspects.jsonl, and the tables of aspects.md.

    python3 results/benchmarks/aspects.py PROGRAM DATA

PROGRAM is asp2vec, DATA the folder of the real networks. Runs that aspects.jsonl has are not repeated.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FILE, PAGE = os.path.join(HERE, "aspects.jsonl"), os.path.join(HERE, "aspects.md")
SEEDS = 3
PLANTED = {
    "planted, 500": "--vertices 500 --communities 25 --memberships 2 --mean-degree 16",
    "planted, hubs": "--vertices 1000 --communities 50 --memberships 2 --mean-degree 30 --mixing 0.15 --skew 1.2",
    "planted, 3,000": "--vertices 3000 --communities 60 --memberships 3 --mean-degree 20",
}
MERGED = ["cora", "ppi", "ca-hepth", "4area"]
METHODS = ["asp2vec", "deepwalk", "prone", "polydw", "splitter"]
TITLES = {"asp2vec": "asp2vec", "deepwalk": "DeepWalk", "prone": "ProNE", "polydw": "PolyDW", "splitter": "Splitter"}
LONG = {("4area", "polydw"), ("4area", "splitter")}  # not measured: minutes each

MEASURES = {  # of evaluate aspects
    "aspects": ("aspects", METHODS), "learned": ("learned by the model", ["asp2vec", "polydw", "splitter"]),
    "k_means": ("k-means of final vectors, five groups", METHODS), "ego_splitting": ("ego-splitting, no vectors", ["asp2vec"]),
}


def program(*args):
    out = subprocess.run([sys.argv[1], "--threads", "1", "--log-level", "error", "--json", *args], stdout=subprocess.PIPE, check=True)
    return json.loads(out.stdout) if out.stdout.strip() else None


def make(folder, network, seed):
    links = os.path.join(folder, "links.tsv")
    made = ["--seed", str(seed), "--out", links, "--force"]
    if network in PLANTED:
        program("data", "generate", "planted", *PLANTED[network].split(), *made)
    else:
        program("data", "generate", "merged", "--network", os.path.join(sys.argv[2], network.split(",")[0], "edges.tsv.gz"), *made)
    return links


def train(folder, data, method, seed):
    out = os.path.join(folder, "model")
    return program("train", *data, "--method", method, "--seed", str(seed), "--results", "none", "--out", out, "--force")["record"]


def measure(folder, network, method, seed, hidden):
    links = make(folder, network, seed)
    data = ["--network", links]
    if hidden:
        split = os.path.join(folder, "split")
        program("split", *data, "--remove", "0.3", "--rule", "ce1", "--seed", str(seed), "--out", split, "--force")
        data = ["--split", split]
    record = train(folder, data, method, seed)
    run = {"network": network, "method": method, "seed": seed, "hidden": hidden, "seconds": record["train_seconds"], "host": record["host"]["cpu"]}
    if hidden:
        run["auc"] = record["metrics"]["auc"]
    run["result"] = program("evaluate", "aspects", os.path.join(folder, "model"), *data, "--origins", os.path.join(folder, "links.origins.tsv"), *(["--hidden"] if hidden else []))
    return run


def beyond(a):
    return (a["nmi"] - a["chance"]) / (1 - a["chance"])


def cell(values):
    if not values:
        return ""
    spread = " ± %.3f" % statistics.stdev(values) if len(values) > 1 else ""
    return ("%.3f" % statistics.mean(values) + spread).replace("0.", ".")


def table(runs, hidden, rows, of):
    runs = [r for r in runs if r["hidden"] == hidden]
    networks = [n for n in names() if any(r["network"] == n for r in runs)]
    lines = ["| | " + " | ".join(networks) + " |", "|:--|" + "--:|" * len(networks)]
    for title, key, method in rows:
        cells = [cell([of(r["result"][key]) for r in runs if r["network"] == n and r["method"] == method and r["result"].get(key)]) for n in networks]
        if any(cells):
            lines.append("| " + title + " | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def names():
    return list(PLANTED) + [n + ", merged" for n in MERGED]


def page(runs):
    rows = [(what if len(methods) == 1 else TITLES[m] + ": " + what, key, m) for key, (what, methods) in MEASURES.items() for m in methods]
    planted = [r for r in runs if r["network"] in PLANTED]
    tables = {"within": table(runs, False, rows, beyond), "hidden": table(runs, True, rows, beyond),
              "groups": table(planted, True, [(TITLES[m] + ": groups of aspects", "groups", m) for m in METHODS], beyond)}
    counts = ["| | 1 | 2 | 3 | 4 | 5 |", "|:--|--:|--:|--:|--:|--:|"]
    for n in names():
        of = [r["result"]["vertices_with_aspects"] for r in runs if r["network"] == n and r["method"] == "asp2vec" and not r["hidden"]]
        if of:
            all = sum(map(sum, of))
            counts.append("| " + n + " | " + " | ".join("%.0f %%" % (100 * sum(x[k] for x in of) / all) for k in range(5)) + " |")
    tables["counts"] = "\n".join(counts) + "\n"
    with open(PAGE, encoding="utf-8") as f:
        text = f.read()
    for name, lines in tables.items():
        text = re.sub("<!-- %s -->\n.*?<!-- end -->" % name, lambda m: "<!-- %s -->\n%s<!-- end -->" % (name, lines), text, flags=re.S)
    return text


def main():
    runs = []
    if os.path.exists(FILE):
        with open(FILE, encoding="utf-8") as f:
            runs = [json.loads(line) for line in f]
    done = {(r["network"], r["method"], r["seed"], r["hidden"]) for r in runs}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, SEEDS + 1):
            for hidden in (False, True):
                for method in METHODS[:3] if hidden else METHODS:
                    for network in names():
                        if (network, method, seed, hidden) in done or (network.split(",")[0], method) in LONG:
                            continue
                        runs.append(measure(folder, network, method, seed, hidden))
                        with open(FILE, "a", encoding="utf-8") as f:
                            f.write(json.dumps(runs[-1], separators=(",", ":")) + "\n")
                        print(network, method, seed, hidden, file=sys.stderr)
    text = page(runs)
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(text)


if __name__ == "__main__":
    main()
