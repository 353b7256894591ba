"""Answers about ODF: its schemas, the history of a chain, and how two schemas differ."""

from collections.abc import Iterator
from shlex import quote
from typing import Any

from msgspec.structs import replace

from airflow_provider_schemas.cli.files.odf_files import OdfFile, Setting
from airflow_provider_schemas.cli.operands import Operand
from airflow_provider_schemas.cli.output.result import Answer, Part, Rows, TextLine
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats import odf
from airflow_provider_schemas.formats.odf.compatibility.differences import SchemaDifference
from airflow_provider_schemas.formats.odf.compatibility.type_text import type_text
from airflow_provider_schemas.formats.odf.model.attributes import json_text
from airflow_provider_schemas.formats.odf.serialization.known_attributes import DESCRIPTION
from airflow_provider_schemas.formats.odf.serialization.writer import of_schema
from airflow_provider_schemas.render.wording import counted

_DIFFERENCE_KEYS = ("rule", "path", "old", "new", "attribute")

# ---------------------------------------------------------------- show


def show_answer(label: str, file: OdfFile) -> Answer:
    """Answer with the newest schema; before it the settings of a chain."""
    settings = [{"said": setting.place, "legacy": setting.legacy} for setting in file.settings]
    data = {"what": file.what, "settings": settings, "warnings": list(file.warnings), "schema": of_schema(file.schema)}
    return Answer([*_show_parts(label, file)], data)


def _show_parts(label: str, file: OdfFile) -> Iterator[Part]:
    yield TextLine(f"{label}  {counted(len(file.schema.fields), 'field')} · {file.what}")
    if len(file.settings) > 1 or file.settings[0].place:
        yield Rows([_setting_cells(setting) for setting in file.settings], ("set by", "fields", ""), indent=2, headed=True)
    yield Rows([_field_cells(field) for field in file.schema.fields], ("field", "type", ""), indent=2, headed=True)
    if file.schema.extra is not None:
        yield TextLine(f"attributes {_attributes_text(file.schema.extra)}", 2)
    yield from (TextLine(f"note: {warning}", 2) for warning in file.warnings)


def _setting_cells(setting: Setting) -> tuple[str, str, str]:
    return (setting.place, str(len(setting.schema.fields)), "raw Arrow" if setting.legacy else "")


def _field_cells(field: odf.DataField) -> tuple[str, str, str]:
    return (field.name, type_text(field.type), _attributes_text(field.extra))


def _attributes_text(extra: odf.Attributes | None) -> str:
    """Write attributes for people: first the description, unchanged."""
    values = dict(extra or {})
    texts: list[str] = []
    description = values.pop(DESCRIPTION, None)
    if description is not None:
        texts.append(str(description))
    texts += [f"{key} {value if isinstance(value, str) else json_text(value)}" for key, value in values.items()]
    return " · ".join(texts)


# ---------------------------------------------------------------- diff


def diff_answer(old: Operand, new: Operand) -> Answer:
    """Answer with the differences, rule by rule. It is no judgement."""
    differences = odf.compare(odf_of(old).schema, odf_of(new).schema).differences
    count = counted(len(differences), "difference") if differences else "no difference"
    parts: list[Part] = [TextLine(f"{old.label} -> {new.label}  {count}")]
    if differences:
        rows = [(difference.rule, difference.path, _step_text(difference.old, difference.new)) for difference in differences]
        parts.append(Rows(rows, ("rule", "path", "what"), indent=2))
    entries = [_difference_entry(difference) for difference in differences]
    return Answer(parts, {"old": old.label, "new": new.label, "differences": entries})


def _step_text(old: str, new: str) -> str:
    return f"{old} -> {new}" if old and new else new or old


def _difference_entry(difference: SchemaDifference) -> dict[str, Any]:
    return {key: getattr(difference, key) for key in _DIFFERENCE_KEYS}


def last_step(operand: Operand) -> tuple[Operand, Operand]:
    """Return an operand with the schema before the newest, and one with the newest."""
    settings = odf_of(operand).settings
    if len(settings) < 2:
        message = f"{operand.label} sets one schema only."
        raise SchemaError(message, code="cli.first", path=operand.label, fix=f"See it with: airflow-schemas show {quote(operand.label)}.")
    return _with_one_setting(operand, settings[-2]), _with_one_setting(operand, settings[-1])


def _with_one_setting(operand: Operand, setting: Setting) -> Operand:
    label = operand.label
    if setting.place:
        label = f"{label} ({setting.place})"
    return replace(operand, label=label, odf=replace(odf_of(operand), settings=(setting,)))


def odf_of(operand: Operand) -> OdfFile:
    """Return the schemas of ODF of an operand that is known to have some."""
    if operand.odf is None:
        raise AssertionError("only ODF comes here")
    return operand.odf
