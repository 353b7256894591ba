"""What follows a column when it is renamed: keys, and the options that name it.

Paimon knows these options and no others; the rest keeps the old name, and validation then says so. All
renames of a batch are one mapping, applied once.
"""

from collections.abc import Iterable, Mapping

# Options whose value is a list of columns.
_LISTS = ("bucket-key", "sequence.field")
# fields.<column>.<suffix>: the key names one column.
_SUFFIXES = (
    "aggregate-function",
    "ignore-retract",
    "distinct",
    "list-agg-delimiter",
    "map.storage-layout",
    "map.shared-shredding.max-columns",
    "map.shared-shredding.column-placement-policy",
)
# fields.<columns>.<suffix>: the key names columns, and so does the value.
_LIST_SUFFIXES = ("sequence-group", "nested-key")
_PREFIX = "fields."


def renamed_list(names: Iterable[str], renames: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names after the renames."""
    return tuple(renames.get(name, name) for name in names)


def renamed_options(options: Mapping[str, str], renames: Mapping[str, str]) -> dict[str, str]:
    """Return the options after the renames."""
    if not renames:
        return dict(options)
    return dict(_renamed(key, value, renames) for key, value in options.items())


def _renamed(key: str, value: str, renames: Mapping[str, str]) -> tuple[str, str]:
    if key in _LISTS:
        return key, _text(value, renames)
    if key.startswith(_PREFIX):
        for suffix in _LIST_SUFFIXES:
            if key.endswith(f".{suffix}"):
                columns = key[len(_PREFIX) : -len(suffix) - 1]
                return f"{_PREFIX}{_text(columns, renames)}.{suffix}", _text(value, renames)
        for suffix in _SUFFIXES:
            if key.endswith(f".{suffix}"):
                column = key[len(_PREFIX) : -len(suffix) - 1]
                return f"{_PREFIX}{renames.get(column, column)}.{suffix}", value
    return key, value


def _text(names: str, renames: Mapping[str, str]) -> str:
    return ",".join(renamed_list(names.split(","), renames))
