"""Writing a schema file, and the digest of its content."""

import hashlib
import json

from msgspec.structs import replace

from tests.benchmarks.contest import OURS, Call, Op, Subject
from tests.benchmarks.inputs import Input
from tests.benchmarks.subjects import limits


def _file(one: Input) -> Call:
    schema = one.schema
    return schema.to_json


def _compact(one: Input) -> Call:
    content = limits.decode(one.file)
    return lambda: limits.encode(content)


def _dumped(one: Input) -> Call:
    document = one.document
    return lambda: json.dumps(document, indent=2)


def _digest(one: Input) -> Call:
    schema = one.schema
    return lambda: replace(schema).digest  # a copy, because a schema remembers its digest


def _hash(one: Input) -> Call:
    content = limits.decode(one.file)
    return lambda: hashlib.sha256(limits.encode(content)).hexdigest()


SUBJECT = Subject(
    "Writing a schema",
    {
        Op.ENCODE: {OURS: _file, "limit: msgspec, compact": _compact, "json.dumps, indented": _dumped},
        Op.DIGEST: {OURS: _digest, "limit: msgspec and sha256": _hash},
    },
)
