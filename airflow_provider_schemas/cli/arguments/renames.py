"""The two names of a rename as they are typed: OLD:NEW. A line with `=`, which was once read both ways, is refused with both readings."""

import re

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import SchemaError

# Names between back quotes may hold anything.
_PIECES = re.compile(r"`(?:[^`]|``)*`|[^`:=]+|.", re.DOTALL)


def halves(option: str, text: str) -> tuple[str, str]:
    """The old name and the new one."""
    pieces = _PIECES.findall(text)
    if pieces.count(":") == 1 and not {"=", "`"} & set(pieces):
        old, new = _parts(pieces, ":")
        if old and new:
            return old, new
    if pieces.count("=") == 1 and ":" not in pieces:
        raise _both_ways(option, *_parts(pieces, "="))
    fix = "Write it as OLD:NEW; a name that has a : or = in it stands between back quotes."
    raise SchemaError(f"{shown(text)} is not understood.", code="cli.change", path=f"--{option}", fix=fix)


def _parts(pieces: list[str], sign: str) -> tuple[str, str]:
    place = pieces.index(sign)
    return "".join(pieces[:place]).strip(), "".join(pieces[place + 1 :]).strip()


def _both_ways(option: str, left: str, right: str) -> SchemaError:
    left, right = left or "OLD", right or "NEW"
    message = f"{shown(f'{left}={right}')} does not say which name is the old one."
    fix = f"Write --{option} {left}:{right} to make {left} into {right}, or --{option} {right}:{left} to make {right} into {left}."
    return SchemaError(message, code="cli.change", path=f"--{option}", fix=fix)
