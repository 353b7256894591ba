"""Verdicts about schemas of ODF: whether each of a chain may follow the one before it, or that of one document that of another."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from airflow_provider_schemas.cli import policy_option
from airflow_provider_schemas.cli.files.odf_files import Setting
from airflow_provider_schemas.cli.judging.base import ALONE
from airflow_provider_schemas.cli.judging.compared import by_itself
from airflow_provider_schemas.cli.judging.verdicts import ComparedReport
from airflow_provider_schemas.cli.operands import Operand
from airflow_provider_schemas.cli.output.odf_result import odf_of
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats import odf

_Labelled = tuple[str, Setting]


def verdicts(operands: Sequence[Operand], args: Namespace) -> list[ComparedReport]:
    """Judge whether each schema may follow the one before it; of two, whether those of the second may follow the first."""
    if len(operands) > 2:
        raise SchemaError("these are no pair.", code="cli.objects", fix="Name OLD and NEW, or one file or chain alone.")
    settings: list[_Labelled] = []
    warnings: list[str] = []
    for operand in operands:
        file = odf_of(operand)
        settings += [(operand.label, setting) for setting in file.settings]
        warnings += file.warnings
    if len(operands) == 2:  # the steps within OLD are not asked about
        settings = settings[len(odf_of(operands[0]).settings) - 1 :]
    first, *later = list(_steps(settings, args)) or [_alone(settings[0], args)]
    return [first._replace(report=replace(first.report, notes=(*first.report.notes, *warnings))), *later]


def _steps(settings: Sequence[_Labelled], args: Namespace) -> Iterator[ComparedReport]:
    for old, new in pairwise(settings):
        yield ComparedReport(f"{_name(new)} with {_name(old)}", _report(old[1], new, args))


def _alone(labelled: _Labelled, args: Namespace) -> ComparedReport:
    report = _report(None, labelled, args)
    return ComparedReport(by_itself(_name(labelled)), replace(report, notes=(*report.notes, ALONE)))


def _report(old: Setting | None, new: _Labelled, args: Namespace) -> Report:
    """Judge by the policy of the line; where it names none, by what chains allow."""
    policy = policy_option.read_policy(args)
    if old is not None and policy is not None:
        report = odf.report(odf.compare(old.schema, new[1].schema), policy)
    else:
        report = _chain_report(old, new[1])
    subject = _name(new)
    if "/" not in subject and " " not in subject:  # a name of a table would look like it
        subject = f"./{subject}"
    return replace(report, table=subject)


def _chain_report(old: Setting | None, new: Setting) -> Report:
    """Judge by what chains allow."""
    # A document has no vocabulary: that of the chain before it holds.
    names = new.vocabulary or (old.following if old else None)
    before = _stored(old, names) if old else None
    report = odf.may_follow(before, _stored(new, names), vocabulary=names)
    if not new.of_source and not (old and old.of_source):
        return report
    # A manifest may stay unchanged, and notes about system columns are about those that were added here.
    findings = tuple(finding for finding in report.findings if finding.rule != "NO_CHANGE")
    return replace(report, findings=findings, notes=())


def _stored(setting: Setting, names: odf.Vocabulary | None) -> odf.Declared:
    """Return the schema that a chain holds after a setting: for a source, its columns and the system columns."""
    if not setting.of_source:
        return setting.declared
    return odf.Declared(odf.with_system_columns(setting.schema, vocabulary=names))


def _name(labelled: _Labelled) -> str:
    label, setting = labelled
    return f"{label} {setting.place}".strip()
