"""Takes from botocore's service model what this crate is checked against.

Usage: python3 extract.py <botocore/data>

Writes operations.txt (the names of all operations of both services, sorted) and shapes.json (their
requests, responses and errors, without documentation). Run it again when a new botocore brings
operations or members; the tests then tell what changed.
"""

import gzip
import json
import pathlib
import sys

KEPT = ("type", "members", "member", "key", "value", "required", "min", "max", "pattern", "enum")


def load(root, service):
    with gzip.open(root / service / "2012-08-10" / "service-2.json.gz") as file:
        return json.load(file)


def reduce(shape):
    """A shape without documentation, its references as plain names."""
    kept = {name: shape[name] for name in KEPT if name in shape}
    for name in ("member", "key", "value"):
        if name in kept:
            kept[name] = kept[name]["shape"]
    if "members" in kept:
        kept["members"] = {name: member["shape"] for name, member in kept["members"].items()}
    return kept


def references(shape):
    yield from shape.get("members", {}).values()
    yield from (shape[name] for name in ("member", "key", "value") if name in shape)


def main():
    root = pathlib.Path(sys.argv[1])
    here = pathlib.Path(__file__).parent
    names, services = set(), {}
    for service in ("dynamodb", "dynamodbstreams"):
        model = load(root, service)
        names.update(model["operations"])
        operations, shapes, pending = {}, {}, []
        for name, operation in sorted(model["operations"].items()):
            operations[name] = {way: operation[way]["shape"] for way in ("input", "output") if way in operation}
            pending += operations[name].values()
        while pending:
            name = pending.pop()
            if name not in shapes:
                shapes[name] = reduce(model["shapes"][name])
                pending += references(shapes[name])
        errors = {
            name: sorted(shape["members"])
            for name, shape in sorted(model["shapes"].items())
            if shape.get("exception")
        }
        services[service] = {"operations": operations, "shapes": dict(sorted(shapes.items())), "errors": errors}
    (here / "operations.txt").write_text("\n".join(sorted(names)) + "\n")
    (here / "shapes.json").write_text(json.dumps(services, indent=1) + "\n")


main()
