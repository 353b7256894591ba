"""What differs between two texts of a project file, as sentences without secrets: a branch may change what it is judged by."""

from collections.abc import Mapping
from typing import Any, Final

from airflow_provider_schemas.cli.project.document import SECTION, parse
from airflow_provider_schemas.core.common.secrets import is_secret
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import SchemaError

_MASK: Final = "****"
_MAX_KEYS: Final = 50
# What stands at the top of a pyproject.toml, and is no key of ours.
_OF_OTHERS: Final = ("tool", "project", "build-system")


def changed_settings(old_text: bytes | None, new_text: bytes | None) -> tuple[str, ...]:
    """Return a sentence for each setting that differs; None is a file that is not there."""
    sides = []
    unread = []
    for text, when in ((old_text, "before"), (new_text, "now")):
        try:
            sides.append(_settings(text))
        except SchemaError as error:
            unread.append(f"the project file of {when} cannot be read: {error.message} What it changes is not known.")
    if unread:
        return tuple(unread)
    old, new = sides
    keys = [key for key in {**old, **new} if old.get(key) != new.get(key)]
    sentences = [_sentence(key, old, new) for key in keys[:_MAX_KEYS]]
    if len(keys) > _MAX_KEYS:
        sentences.append(f"{len(keys) - _MAX_KEYS} more settings differ.")
    return tuple(sentences)


def _settings(text: bytes | None) -> Mapping[str, Any]:
    """Return the settings in a text; a pyproject.toml has them in a section."""
    if text is None:
        return {}
    values = parse(text, "the file")
    if not any(key in values for key in _OF_OTHERS):
        return values
    tool = values.get("tool")
    section = tool.get(SECTION) if isinstance(tool, dict) else None
    return section if isinstance(section, dict) else {}


def _sentence(key: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    name = key if key.isidentifier() else shown(key)
    if key not in old:
        return f"{name} is new: {_plain(key, new[key])}."
    if key not in new:
        return f"{name} is gone: it was {_plain(key, old[key])}."
    before, after = _plain(key, old[key]), _plain(key, new[key])
    if before == after:
        return f"{name} differs in what is not shown."
    return f"{name} was {before}, and is {after} now."


def _plain(key: str, value: Any) -> str:
    """Write a value without secrets."""
    if value is True or value is False:
        return str(value).lower()
    return shown(_masked(key, value))


def _masked(key: str, value: Any) -> Any:
    if is_secret(key):
        return _MASK
    if isinstance(value, dict):
        return {name: _masked(name, entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [_masked("", entry) for entry in value]
    return value
