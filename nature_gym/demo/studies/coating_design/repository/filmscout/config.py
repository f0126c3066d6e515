import yaml


def load(path="conf/default.yaml"):
    with open(path) as f:
        return yaml.safe_load(f)
