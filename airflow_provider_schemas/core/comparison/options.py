"""What differs in the options of a table, by what an option decides.

Options are compared after the renames have gone over them, as evolving does.
"""

from collections.abc import Callable, Iterator, Mapping

from airflow_provider_schemas.core.common.secrets import MASK, is_secret, without_credentials
from airflow_provider_schemas.core.comparison.attributes import NestedLocations, attribute_observations
from airflow_provider_schemas.core.comparison.fields import Comparison
from airflow_provider_schemas.core.difference import RESCALED, Observation
from airflow_provider_schemas.core.evolution.rename_references import renamed_options
from airflow_provider_schemas.core.schema import table_options
from airflow_provider_schemas.core.schema.attribute_options import attribute_key

# Options that decide what rows the same files add up to.
MEANING_OPTIONS = frozenset({
    "aggregation.remove-record-on-delete",
    "changelog-producer",
    "ignore-delete",
    "ignore-update-before",
    "merge-engine",
    "partial-update.remove-record-on-delete",
    "partial-update.remove-record-on-sequence-group",
    "rowkind.field",
    "sequence.field",
    "sequence.field.sort-order",
    "sequence.snapshot-ordering",
})  # fmt: skip
# The same, for options of single columns: fields.<columns>.<suffix>.
MEANING_SUFFIXES = ("aggregate-function", "default-aggregate-function", "distinct", "ignore-retract", "nested-key", "sequence-group")
_MEANING_ENDINGS = tuple(f".{suffix}" for suffix in MEANING_SUFFIXES)

# Safety switches, and the value under which they protect.
GUARDS: Mapping[str, bool] = {
    "alter-column-null-to-not-null.disabled": True,
    "deletion-vectors.modifiable": False,
    "disable-explicit-type-casting": True,
}

# Paimon moves these into the key lists, which are compared as keys.
_KEY_OPTIONS = ("partition", "primary-key")
_ATTRIBUTES_PREFIX = attribute_key(0)[:-1]
_DEFAULT_FORMAT = "parquet"


def option_observations(compared: Comparison) -> Iterator[Observation]:
    """Yield the options that differ; those that hold the attributes of a field as attributes."""
    before = renamed_options(compared.old.options, compared.renames)
    after = compared.new.options
    locations = NestedLocations()
    for key in dict.fromkeys([*before, *after]):
        old = before.get(key)
        new = after.get(key)
        if old == new or key in _KEY_OPTIONS:
            continue
        number = _field_of_attributes(key)
        if number is None:
            yield from _option(key, old, new)
        else:
            yield from attribute_observations(compared, locations, number, old, new)


def _field_of_attributes(key: str) -> int | None:
    """Return the id of the field whose attributes an option holds; None for any other option."""
    number = key.removeprefix(_ATTRIBUTES_PREFIX)
    if number == key or not number.isdecimal():
        return None
    return int(number)


def _option(key: str, old: str | None, new: str | None) -> Iterator[Observation]:
    """Yield an observation for each rule that speaks of another value of an option."""
    effective_old = _effective(key, old)
    effective_new = _effective(key, new)
    rules = [rule for rule, holds in _OPTION_RULES if holds(key, effective_old, effective_new)]
    for rule in rules or ["OPTION_TUNING"]:
        shown = (effective_old, effective_new) if rule == "FILE_FORMAT_CHANGED" else (old, new)
        yield Observation(
            rule=rule,
            path=key,
            old=_shown(key, shown[0]),
            new=_shown(key, shown[1]),
            before=old,
            after=new,
            variant=RESCALED if rule == "OPTION_TUNING" and _rescales(key, old, new) else "",
        )


def _rescales(key: str, old: str | None, new: str | None) -> bool:
    """Return whether an option sets another number of buckets.

    Each file knows how many buckets there were, so readers go on; but writers stop at a partition whose files tell another number.
    """
    if key != "bucket":
        return False
    before = (old or "").strip()
    after = (new or "").strip()
    return before.isdecimal() and after.isdecimal() and int(before) != int(after)


def _effective(key: str, value: str | None) -> str | None:
    """Return the value that counts, also of an option that is not set."""
    if key == "file.format":
        return (value or _DEFAULT_FORMAT).lower()
    if key == "bucket":
        return (value or "-1").strip()
    if key not in table_options.CHOICES and key not in table_options.FLAGS:
        return value
    if value is not None:
        return value.lower()
    if key in table_options.CHOICES:
        return table_options.CHOICES[key][0]
    return str(table_options.FLAGS[key]).lower()


def _shown(key: str, value: str | None) -> str:
    """Return the value as a report shows it: reports travel further than schemas."""
    if value is None:
        return "not set"
    if not value:
        return "''"
    return MASK if is_secret(key) else without_credentials(value)


def means_rows(key: str) -> bool:
    """Return whether another value of an option gives the same files other rows."""
    if key in MEANING_OPTIONS:
        return True
    return key.startswith(f"{table_options.COLUMN_PREFIX}.") and key.endswith(_MEANING_ENDINGS)


# ---------------------------------------------------------------- rules


def _sets_immutable(key: str, old: str | None, new: str | None) -> bool:
    return key in table_options.IMMUTABLE_OPTIONS and old != new


def _turns_buckets_dynamic(key: str, old: str | None, new: str | None) -> bool:
    """Return whether buckets that were fixed no longer are, or the other way round: every file would lie in the wrong one."""
    return key == "bucket" and (old == "-1") is not (new == "-1")


def _changes_meaning(key: str, old: str | None, new: str | None) -> bool:
    return old != new and means_rows(key)


def _disables_guard(key: str, old: str | None, new: str | None) -> bool:
    return key in GUARDS and old != new and (new == "true") is not GUARDS[key]


def _changes_format(key: str, old: str | None, new: str | None) -> bool:
    return key == "file.format" and old != new


_OPTION_RULES: tuple[tuple[str, Callable[[str, str | None, str | None], bool]], ...] = (
    ("OPTION_IMMUTABLE_CHANGED", _sets_immutable),
    ("OPTION_IMMUTABLE_CHANGED", _turns_buckets_dynamic),
    ("OPTION_MEANING_CHANGED", _changes_meaning),
    ("OPTION_GUARD_DISABLED", _disables_guard),
    ("FILE_FORMAT_CHANGED", _changes_format),
)
