"""What is said of ODF: its schemas, the history of a chain, and what differs."""

from collections.abc import Iterator
from shlex import quote
from typing import Any

from msgspec.structs import replace

from airflow_provider_schemas.cli.files.odf_files import OdfFile, Setting
from airflow_provider_schemas.cli.operands import Thing
from airflow_provider_schemas.cli.output.result import Answer, Line, Part, Rows
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats import odf
from airflow_provider_schemas.formats.odf.compatibility.type_text import type_text
from airflow_provider_schemas.formats.odf.model.attributes import json_text
from airflow_provider_schemas.formats.odf.serialization.known_attributes import DESCRIPTION
from airflow_provider_schemas.formats.odf.serialization.writer import of_schema
from airflow_provider_schemas.render.wording import counted

# ---------------------------------------------------------------- show


def shown(label: str, file: OdfFile) -> Answer:
    """The schema that holds now; before it the settings of a chain."""
    return Answer([*_parts(label, file)], {"what": file.what, **_history(file), "schema": of_schema(file.schema)})


def _parts(label: str, file: OdfFile) -> Iterator[Part]:
    yield Line(f"{label}  {counted(len(file.schema.fields), 'field')} · {file.what}")
    if len(file.settings) > 1 or file.settings[0].said:
        yield Rows([_setting(one) for one in file.settings], ("set by", "fields", ""), indent=2, headed=True)
    yield Rows([_column(one) for one in file.schema.fields], ("field", "type", ""), indent=2, headed=True)
    if file.schema.extra is not None:
        yield Line(f"attributes {_said(file.schema.extra)}", 2)
    yield from (Line(f"note: {one}", 2) for one in file.warnings)


def _setting(one: Setting) -> tuple[str, str, str]:
    return (one.said, str(len(one.schema.fields)), "raw Arrow" if one.legacy else "")


def _column(field: odf.DataField) -> tuple[str, str, str]:
    return (field.name, type_text(field.type), "" if field.extra is None else _said(field.extra))


def _said(extra: odf.Attributes) -> str:
    """Attributes for people: the description first, as it is."""
    values = dict(extra)
    description = values.pop(DESCRIPTION, None)
    rest = [f"{key} {one if isinstance(one, str) else json_text(one)}" for key, one in values.items()]
    return " · ".join([*([str(description)] if description is not None else []), *rest])


def _history(file: OdfFile) -> dict[str, Any]:
    return {"settings": [{"said": one.said, "legacy": one.legacy} for one in file.settings], "warnings": list(file.warnings)}


# ---------------------------------------------------------------- diff


def difference(old: Thing, new: Thing) -> Answer:
    """What differs, rule by rule. It is no judgement."""
    found = odf.compare(_file(old).schema, _file(new).schema).differences
    rows = [(one.rule, one.path, f"{one.old} -> {one.new}" if one.old and one.new else one.new or one.old) for one in found]
    head = Line(f"{old.label} -> {new.label}  {counted(len(found), 'difference') if found else 'no difference'}")
    differences = [{name: getattr(one, name) for name in ("rule", "path", "old", "new", "attribute")} for one in found]
    parts: list[Part] = [head, *([Rows(rows, ("rule", "path", "what"), indent=2)] if rows else [])]
    return Answer(parts, {"old": old.label, "new": new.label, "differences": differences})


def last_step(found: Thing) -> tuple[Thing, Thing]:
    """The schema that holds now, and the one before it."""
    settings = _file(found).settings
    if len(settings) < 2:
        message = f"{found.label} sets one schema only."
        raise SchemaError(message, code="cli.first", path=found.label, fix=f"See it with: airflow-schemas show {quote(found.label)}.")
    return _only(found, settings[-2]), _only(found, settings[-1])


def _only(found: Thing, setting: Setting) -> Thing:
    """The thing with one of its settings."""
    label = f"{found.label} ({setting.said})" if setting.said else found.label
    return replace(found, label=label, odf=replace(_file(found), settings=(setting,)))


def _file(found: Thing) -> OdfFile:
    if found.odf is None:
        raise AssertionError("only ODF comes here")
    return found.odf
