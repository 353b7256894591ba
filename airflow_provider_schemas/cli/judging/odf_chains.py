"""Whether a schema of ODF may follow another: those of a chain, and those of two documents."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from airflow_provider_schemas.cli import policy_option
from airflow_provider_schemas.cli.files.odf_files import OdfFile, Setting
from airflow_provider_schemas.cli.judging.base import ALONE
from airflow_provider_schemas.cli.judging.compared import by_itself
from airflow_provider_schemas.cli.judging.verdicts import Judged
from airflow_provider_schemas.cli.operands import Thing
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats import odf

_Labelled = tuple[str, Setting]


def verdicts(operands: Sequence[Thing], args: Namespace) -> list[Judged]:
    """Judge whether each schema may follow the one before it; of two, whether those of the second may follow the first."""
    if len(operands) > 2:
        raise SchemaError("these are no pair.", code="cli.objects", fix="Name OLD and NEW, or one file or chain alone.")
    settings = [(operand.label, setting) for operand in operands for setting in _file(operand).settings]
    if len(operands) == 2:
        settings = settings[len(_file(operands[0]).settings) - 1 :]
    first, *later = list(_steps(settings, args)) or [_alone(settings[0], args)]
    warnings = tuple(warning for operand in operands for warning in _file(operand).warnings)
    return [first._replace(report=replace(first.report, notes=(*first.report.notes, *warnings))), *later]


def _steps(settings: Sequence[_Labelled], args: Namespace) -> Iterator[Judged]:
    for old, new in pairwise(settings):
        yield Judged(f"{_name(new)} with {_name(old)}", _report(old[1], new, args))


def _alone(labelled: _Labelled, args: Namespace) -> Judged:
    report = _report(None, labelled, args)
    return Judged(by_itself(_name(labelled)), replace(report, notes=(*report.notes, ALONE)))


def _report(old: Setting | None, new: _Labelled, args: Namespace) -> Report:
    """Judge by a policy, where one is named; else by what chains allow."""
    setting = new[1]
    policy = policy_option.wanted(args)
    if old is not None and policy is not None:
        report = odf.report(odf.compare(old.schema, setting.schema), policy)
    else:
        # A document says nothing of names: those of the chain before it hold.
        names = setting.vocabulary or (None if old is None else old.following)
        before = None if old is None else _stored(old, names)
        report = odf.may_follow(before, _stored(setting, names), vocabulary=names)
        if setting.of_source or (old is not None and old.of_source):
            # A manifest may stay as it is, and what is said of system columns is said of ours.
            report = replace(report, findings=tuple(finding for finding in report.findings if finding.rule != "NO_CHANGE"), notes=())
    subject = _name(new)
    return replace(report, table=subject if "/" in subject or " " in subject else f"./{subject}")


def _stored(setting: Setting, names: odf.Vocabulary | None) -> odf.Declared:
    """Return what a setting makes a chain hold: of a source, its columns and those of the system."""
    if not setting.of_source:
        return setting.declared
    return odf.Declared(odf.with_system_columns(setting.schema, vocabulary=names))


def _name(labelled: _Labelled) -> str:
    label, setting = labelled
    return f"{label} {setting.said}".strip()


def _file(operand: Thing) -> OdfFile:
    if operand.odf is None:
        raise AssertionError("only ODF comes here")
    return operand.odf
