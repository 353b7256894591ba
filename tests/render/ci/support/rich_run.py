"""One run that has everything: breaks with readers, what is accepted and waived, a new table, a deleted file, faults, hostile texts."""

from airflow_provider_schemas.core.data_finding import DataFinding
from airflow_provider_schemas.core.report import Answers, Consumer, Finding, Place, Report, Verdict
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.render.ci.check_run import CheckRun
from tests.render.support import story

DOCS = "https://docs.example/"
ROOT = "/repositories/lake"
HOSTILE = "a::error::b\n::add-mask::c ##[add-mask]d <script>x</script> @everyone #1 https://evil.example `tick` | %0A ]]> \x1b[31m"


def accepted() -> Report:
    """A table file that accepts one of its findings, and a waiver of the store for another."""
    place = Place("schemas/shop/users.yaml", 4, 5)
    by_file = Finding(
        "TYPE_NARROWED",
        "age",
        "age is now INT (was BIGINT); old values need not fit.",
        verdict=Verdict.WARN,
        old="BIGINT",
        new="INT",
        data=Verdict.BREAK,
        writers=Verdict.BREAK,
        place=place,
        waived="until 2026-12-01: nobody is older than 150",
    )
    by_waiver = Finding(
        "EXPECT_FIELD_MISSING",
        "city",
        "city is not there.",
        verdict=Verdict.WARN,
        jobs=Verdict.BREAK,
        consumers=(Consumer("geo_report", "team-geo", "#geo"),),
        place=place,
        waived="until 2026-12-02 for geo_report: it is moved on Monday, raj",
    )
    # Accepted for one job, and another one breaks all the same.
    still = Finding(
        "FIELD_DROPPED",
        "country",
        "country is gone (it was STRING).",
        verdict=Verdict.BREAK,
        old="STRING",
        jobs=Verdict.BREAK,
        writers=Verdict.BREAK,
        consumers=(Consumer("geo_report", "team-geo", "@geo-team"), Consumer("tax_report")),
        owner="team-users",
        contact="users@shop.example",
        place=place,
        waived="until 2026-12-02 for geo_report: it is moved on Monday, raj",
    )
    return Report((by_file, by_waiver, still), "shop.users", 7, 8, 2, ("the exception for FIELD_DROPPED has ended",), file=place.file)


def new() -> Report:
    """A table that is not there yet."""
    return Report((), "shop.coupons", None, 1, file="schemas/shop/coupons.yaml")


def hostile() -> Report:
    """A table in which everything that comes from outside is hostile."""
    finding = Finding(
        "FIELD_RENAMED",
        HOSTILE,
        f"{HOSTILE} is now {HOSTILE}; its id 1 stays.",
        HOSTILE,
        Verdict.BREAK,
        (),
        1,
        HOSTILE,
        HOSTILE,
        Answers(Verdict.OK, Verdict.BREAK, Verdict.BREAK, Verdict.BREAK),
        Verdict.OK,
        Verdict.BREAK,
        Verdict.BREAK,
        (Consumer(HOSTILE, HOSTILE, HOSTILE, "", HOSTILE, HOSTILE),),
        HOSTILE,
        HOSTILE,
        Place(HOSTILE, 3, 7),
    )
    secret = Finding(
        "OPTION_CHANGED",
        "fs.s3a.secret.key",
        "the option fs.s3a.secret.key is now hunter2.",
        old="hunter1",
        new="hunter2",
        verdict=Verdict.WARN,
    )
    rows = DataFinding("NULL_IN_ROWS", "id", "id is NULL in 3 rows.", verdict=Verdict.INVALID, count=3, samples=({"id": None},))
    return Report((finding, secret, rows), HOSTILE, 1, 2, 3, (HOSTILE,))


FAULTS = (
    Fault("table-file.yaml", "schemas/shop/broken.yaml:12:3 columns[2]", "a mapping was expected.", "Mend it."),
    Fault("storage.unreachable", "shop.parcels", "s3://me:hunter2@lake cannot be reached.", "Run `airflow-schemas ls shop`."),
    Fault("x", HOSTILE, HOSTILE, HOSTILE),
)  # fmt: skip


def rich_run(docs: str = DOCS, *, verbose: bool = False) -> CheckRun:
    """Return the run."""
    reports = (story.change_report(), accepted(), new(), hostile(), *story.gate_reports()[1:])
    return CheckRun(
        reports=reports,
        compared=(
            "schemas/shop/orders.yaml with shop.orders version 41",
            "schemas/shop/users.yaml with shop.users version 7",
            "schemas/shop/coupons.yaml with nothing: it is new",
            HOSTILE,
            "shop.users with daily_report",
            "clicks.web with daily_report",
        ),
        faults=FAULTS,
        notes=("compared with origin/main, where this branch began", HOSTILE),
        docs=docs,
        root=ROOT,
        folder=ROOT,
        verbose=verbose,
    )


def large_run(tables: int = 200, findings: int = 25) -> CheckRun:
    """Return a run of many findings, each with two readers."""
    readers = (Consumer("daily_report", "team-bi", "#bi-oncall"), Consumer("ltv_model", "team-ml"))
    reports = [
        Report(
            tuple(
                Finding(
                    "FIELD_RENAMED" if number % 2 else "FIELD_REORDERED",
                    f"column_{number}",
                    f"column_{number} is now column_{number}_new; its id {number} stays.",
                    "Rename it back.",
                    Verdict.BREAK if number % 2 else Verdict.WARN,
                    old=f"column_{number}",
                    new=f"column_{number}_new",
                    consumers=readers if number % 2 else (),
                    place=Place(f"schemas/shop/table_{table}.yaml", number + 3, 5),
                )
                for number in range(findings)
            ),
            f"shop.table_{table}",
            1,
            2,
            2,
        )
        for table in range(tables)
    ]
    compared = tuple(f"schemas/shop/table_{table}.yaml with shop.table_{table} version 1" for table in range(tables))
    return CheckRun(tuple(reports), compared, root=ROOT, folder=ROOT)
