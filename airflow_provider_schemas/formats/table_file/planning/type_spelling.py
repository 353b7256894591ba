"""Types that are spelled otherwise than Paimon writes them, and are the same: INTEGER is INT, VARCHAR(2147483647) is STRING."""

import re

from airflow_provider_schemas.core.difference import word
from airflow_provider_schemas.core.report import Finding, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.formats.table_file.model import TableFile

_RULE = RULES["TYPE_SPELLING_CHANGED"]
_OF_NO_ACCOUNT = re.compile(r"[\s`]+")


def spelling_findings(file: TableFile) -> tuple[Finding, ...]:
    """One for each column whose type has another spelling. Blanks, case and the back-quotes around names are none."""
    found = []
    for number, column in enumerate(file.columns):
        written, canonical = column.type.strip(), str(column.kind)
        if written != canonical and _bare(written) != _bare(canonical):
            path = word(column.name)
            message = _RULE.says.format(path=path, new=written, old=canonical)
            place, answers = file.place(("columns", number, "type")), _RULE.answers()
            found.append(Finding(_RULE.id, path, message, _RULE.fix, Verdict.OK, old=canonical, new=written, verdicts=answers, place=place))
    return tuple(found)


def _bare(text: str) -> str:
    return _OF_NO_ACCOUNT.sub("", text).upper()
