"""What a look at data found: a report whose findings count rows and show some of them, and the frames that came of it."""

from typing import Any

from msgspec import Struct

from airflow_provider_schemas.core.data_finding import DataFinding
from airflow_provider_schemas.core.report import Report, Verdict
from airflow_provider_schemas.core.report_json import report_dict

__all__ = ["DataFinding", "Validation"]


class Validation(Struct, frozen=True):
    """The answer of `validate`. The frames in it are lazy: to use them is to read the data again."""

    report: Report
    """All findings, as those of any check; each is a DataFinding."""
    rows: int | None = None
    """The rows that were looked at, 0 of an empty frame; None where none were: of a stream, or where nothing is asked of rows."""
    checks: int = 0
    """How many things were asked of every row."""
    frame: Any = None
    """The frame that came in; under conform its good rows, with the columns of the schema."""
    good: Any = None
    """The rows that break nothing, under quarantine and conform."""
    bad: Any = None
    """The other rows, under quarantine and conform, with a column `_bad`: an array of structs of column and rule."""

    @property
    def verdict(self) -> Verdict:
        return self.report.verdict

    @property
    def fits(self) -> bool:
        return self.report.fits

    @property
    def findings(self) -> tuple[DataFinding, ...]:
        return self.report.findings  # type: ignore[return-value]  # validate puts nothing else into its report

    def summary(self) -> dict[str, Any]:
        """Return a plain dict for XCom and JSON: everything but the frames."""
        return {"rows": self.rows, "checks": self.checks, **report_dict(self.report)}
