"""What is said of ODF: its schemas, the history of a chain, what differs, and whether a schema may follow another."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from airflow_provider_schemas.cli import policy_option
from airflow_provider_schemas.cli.files.odf_files import OdfFile, Setting
from airflow_provider_schemas.cli.operands import Thing
from airflow_provider_schemas.cli.output.result import Answer, Line, Part, Rows
from airflow_provider_schemas.core.report import Report
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
        raise SchemaError(message, code="cli.first", path=found.label, fix=f"See it with: airflow-schemas show {found.label}.")
    return _only(found, settings[-2]), _only(found, settings[-1])


def _only(found: Thing, setting: Setting) -> Thing:
    """The thing with one of its settings."""
    label = f"{found.label} ({setting.said})" if setting.said else found.label
    return replace(found, label=label, odf=replace(_file(found), settings=(setting,)))


# ---------------------------------------------------------------- check


def reports(things: Sequence[Thing], args: Namespace) -> list[Report]:
    """Whether each schema may follow the one before it; of two, whether the settings of the second may follow the first."""
    if len(things) > 2:
        raise SchemaError("these are no pair.", code="cli.objects", fix="Name OLD and NEW, or one file or chain alone.")
    settings = [(one.label, setting) for one in things for setting in _file(one).settings]
    if len(things) == 2:
        settings = settings[len(_file(things[0]).settings) - 1 :]
    warnings = tuple(warning for one in things for warning in _file(one).warnings)
    first = _step(None, settings[0], args)
    later = [_step(old[1], new, args) for old, new in pairwise(settings)]
    judged = later or [first]
    return [replace(judged[0], notes=(*judged[0].notes, *warnings)), *judged[1:]]


def _step(old: Setting | None, new: tuple[str, Setting], args: Namespace) -> Report:
    """By a policy, where one is named; else by what chains allow."""
    label, setting = new
    about_source = setting.of_source or (old is not None and old.of_source)
    policy = policy_option.wanted(args)
    if old is not None and policy is not None:
        found = odf.report(odf.compare(old.schema, setting.schema), policy)
    else:
        # A document says nothing of names: those of the chain before it hold.
        names = setting.vocabulary or (None if old is None else old.following)
        before = None if old is None else _stored(old, names)
        found = odf.may_follow(before, _stored(setting, names), vocabulary=names)
        if about_source:  # a manifest may stay as it is, and what is said of system columns is said of ours
            found = replace(found, findings=tuple(one for one in found.findings if one.rule != "NO_CHANGE"), notes=())
    subject = f"{label} {setting.said}".strip()
    return replace(found, table=subject if "/" in subject or " " in subject else f"./{subject}")


def _stored(setting: Setting, names: odf.Vocabulary | None) -> odf.Declared:
    """What a setting makes a chain hold: of a source, its columns and those of the system."""
    if not setting.of_source:
        return setting.declared
    return odf.Declared(odf.with_system_columns(setting.schema, vocabulary=names))


def _file(found: Thing) -> OdfFile:
    if found.odf is None:
        raise AssertionError("only ODF comes here")
    return found.odf
