"""What every command says in each format that it has: it fits, it breaks, it is refused. `GOLDEN=write` writes the files anew."""

import os
import re
import shlex
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from airflow_provider_schemas.cli.command_registry import COMMANDS
from airflow_provider_schemas.cli.help.verbs import VERBS
from airflow_provider_schemas.render.layout import display_width
from tests.support import iceberg_catalog
from tests.support.command_line import commands, typed

FOLDER = Path(__file__).parent / "golden" / "sessions"
ORDERS = """\
table: shop.orders
owner: team-orders
columns:
  - {name: order_id, type: BIGINT NOT NULL, comment: of the shop}
  - {name: cust_id, type: BIGINT}
  - {name: amount, type: "DECIMAL(10, 2)"}
  - {name: address, type: "ROW<street STRING, zip INT>"}
  - {name: note, type: STRING}
  - {name: legacy, type: STRING}
primary_key: [order_id]
options: {bucket: "2"}
"""
# It drops two columns, one of which a job reads, and makes another narrower.
NEXT = """\
table: shop.orders
columns:
  - {name: order_id, type: BIGINT NOT NULL}
  - {name: cust_id, type: INT}
  - {name: amount, type: "DECIMAL(12, 2)"}
  - {name: address, type: "ROW<street STRING, zip INT>"}
  - {name: coupon, type: STRING}
dropped: [note, old_code]
primary_key: [order_id]
options: {bucket: "2"}
"""
USERS = "table: shop.users\ncolumns:\n  - {name: id, type: BIGINT NOT NULL}\n  - {name: name, type: STRING}\n"
REPORT = """\
job: daily_report
owner: team-finance
reads:
  shop.orders: order_id BIGINT, cust_id BIGINT, note STRING
"""
FILES = {
    "orders.yaml": ORDERS,
    "next/orders.yaml": NEXT,
    "users.yaml": USERS,
    "guess.yaml": NEXT.replace("dropped: [note, old_code]", "dropped: [note]"),
    "broken.yaml": "table: shop.orders\ncolums:\n  - {name: id, type: BIGNIT}\n",
    "report.yaml": REPORT,
    "other.yaml": "job: other_report\nreads:\n  shop.orders: price STRING\n",
    "old.sql": "id BIGINT, name STRING, tail STRING",
    "new.sql": "id INT, title STRING",
    "wider.sql": "id BIGINT, name STRING, tail STRING, more STRING",
}
# A folder of this beginning takes as many letters as what stands for it in the files.
TOP = "/tmp"
PREFIX = "orders_"
HERE = "/srv/warehouses/shop"
ICEBERG = "iceberg/prod.shop/orders"
STORY = (
    "create orders.yaml",
    "evolve shop.orders 'ALTER COLUMN amount TYPE DECIMAL(12, 2)' 'RENAME COLUMN legacy TO old_code' --run nightly-7",
    "contract register report.yaml",
    "create raw.clicks 'user_id BIGINT, dt STRING' --partitioned-by dt",
    "waive shop.orders FIELD_DROPPED old_code --until 2999-12-31 --reason INC-7 --for daily_report",
    f"adopt web.orders {HERE}/{ICEBERG} 'order_id BIGINT' --data-format iceberg",
    "plan shop.orders --add 'coupon STRING' -o plan.json",
    "plan shop.orders --drop note -o drop.json",
)
LINES: dict[str, tuple[str, ...]] = {
    "ls": ("ls", "ls shop", "ls * --long", "ls nothing"),
    "show": ("show shop.orders", "show shop.orders:0 --verbose", "show old.sql", "show shop.order", "show broken.yaml"),
    "log": ("log shop.orders", "log shop.orders -n 1 --verbose", "log shop.orders --since 2999-01-01", "log shop.orders --since soon"),
    "blame": (
        "blame shop.orders",
        "blame shop.orders.amount",
        "blame shop.orders.legacy",
        "blame shop.orders.address --version 0",
        "blame shop.orders.adress.zip",
        "blame shop.order.amount",
        "blame shop.orders:1 --version 0",
        "blame shop.orders --version 9",
        "blame orders",
    ),
    "diff": (
        "diff shop.orders",
        "diff shop.orders next/orders.yaml",
        "diff shop.orders next/orders.yaml --stat",
        "diff old.sql new.sql",
        "diff old.sql old.sql",
        "diff shop.orders:9 shop.orders",
    ),
    "convert": ("convert shop.orders --to spark-ddl", "convert old.sql --to table-file", "convert old.sql --to avro"),
    "check": (
        "check old.sql wider.sql",
        "check old.sql new.sql",
        "check next",
        "check shop.orders --for daily_report",
        "check shop.orders --contract 'order_id BIGINT, price STRING'",
        "check guess.yaml",
        "check broken.yaml",
        "check next --base orders.yaml",
        "check shop.order --for daily_report",
    ),
    "audit": ("audit", "audit shop", "audit nothing"),
    "explain": ("explain FIELD_RENAMED", "explain table.not-there", "explain FIELD_RENAMD"),
    "plan": (
        "plan shop.orders --add 'coupon STRING'",
        "plan next/orders.yaml",
        "plan shop.orders --rename note:remark -o remark.json",
        "plan shop.orders --add 'coupon STRING' --sql spark",
        "plan shop.orders --drop nothing",
    ),
    "apply": ("apply plan.json --dry-run", "apply drop.json", "apply plan.json", "apply plan.json", "apply drop.json --override INC-8"),
    "evolve": (
        "evolve shop.orders --rename note:remark --dry-run",
        "evolve shop.orders --rename note:remark",
        "evolve shop.orders --add 'coupon STRING'",
        "evolve shop.orders --add 'coupon STRING'",
        "evolve shop.orders --alias cust_id:customer_id --until 2999-12-31",
        "evolve shop.orders --drop nothing",
    ),
    "create": (
        "create users.yaml --dry-run",
        "create users.yaml",
        "create users.yaml",
        "create shop.orders 'id BIGINT'",
        "create shop.more 'id BIGNIT'",
    ),
    "adopt": (
        "adopt raw.views s3://bucket/views 'user_id BIGINT' --dry-run",
        "adopt raw.views s3://bucket/views 'user_id BIGINT' --unchecked INC-7",
        "adopt shop.orders s3://bucket/views 'user_id BIGINT' --unchecked INC-7",
    ),
    "mount": (
        "mount shop.orders",
        f"mount web.orders --mount web={HERE}/{ICEBERG}",
        f"mount web.orders --mount web={HERE}/{ICEBERG} --yes",
        f"show web.orders --mount web={HERE}/{ICEBERG}",
        f"mount web.orders --mount web={HERE}/{ICEBERG} --yes",
    ),
    "restore": (
        "restore shop.orders 0 --dry-run",
        "restore shop.orders 0",
        "restore shop.orders 9",
        "restore shop.orders 0 --column note",
    ),
    "bind": ("bind raw.clicks 'dt=2025-03-*' 0", "bind raw.clicks --list", "bind raw.clicks 'dt=2025-03-*' 9"),
    "expire": ("expire shop.orders", "expire shop.orders --older-than 0h --dry-run", "expire shop.orders --older-than soon"),
    "who": (
        "who shop.orders",
        "who shop.orders.note",
        "who shop.orders.address.zip",
        "who shop.orders.nothing",
        "who raw.clicks",
        "who shop.orders:1",
    ),
    "contract": (
        "contract list",
        "contract list shop.orders",
        "contract register report.yaml --dry-run",
        "contract register report.yaml",
        "contract register other.yaml",
        "contract remove shop.orders daily_report --dry-run",
        "contract remove shop.orders daily_report",
        "contract remove shop.orders daily_report",
    ),
    "waive": (
        "waive shop.orders --list",
        "waive shop.orders FIELD_DROPPED note --until 2999-12-31 --reason INC-9",
        "waive shop.orders --list",
        "waive shop.orders FIELD_DROPED note --until 2999-12-31 --reason INC-9",
        "waive shop.orders FIELD_DROPPED note",
    ),
    "help": ("help", "help check", "help contract register", "help evolv"),
    "options": ("options", "options --colour"),
    "completion": ("completion tcsh",),
}
# What has no answer in JSON or Markdown: a text about the line itself.
HELP = tuple(VERBS)
WITH_VERDICTS = ("check", "plan", "audit")
# These give verdicts where they write nothing, and refuse such a format where they write.
WITH_DRY_RUN = ("evolve", "apply", "create", "restore")
WIDTHS = (80, 120, 160)
# The end of the file of a format.
FORMATS = {"markdown": "md", "json": "json"}
FOR_CI = {"sarif": "sarif.json", "junit": "xml", "github": "github.txt", "gitlab": "gitlab.json"}
MASKS = (
    (re.compile(rf"{TOP}/{PREFIX}[0-9a-f]{{8}}"), HERE),
    (re.compile(r"\b(?!2999|2026-12-31)\d{4}-\d\d-\d\d([T ])\d\d:\d\d"), r"2026-11-20\g<1>12:00"),
    (re.compile(r"(?<=2026-11-20.12:00):\d\d(\.\d+)?"), ":00"),
    (re.compile(r"\b(?!2999|2025|2026-12-31)\d{4}-\d\d-\d\d\b(?! \d|T)"), "2026-11-20"),
    (re.compile(r"\b(?:[0-9a-f]{8}|[0-9a-f]{32}|[0-9a-f]{64})\b"), lambda found: "0" * len(found[0])),
    (re.compile(r"\b1[78]\d{11}\b"), "1795176000000"),
    (re.compile(r"\b\d+ minutes? ago"), "a moment ago"),  # on a machine that has much to do
)


@pytest.fixture(scope="module")
def here() -> Iterator[Path]:
    """A folder whose name has the same length on every machine, so that lines with it break at the same words."""
    folder = Path(TOP, f"{PREFIX}{uuid4().hex[:8]}")  # an underscore at its end would be written otherwise in Markdown
    folder.mkdir()
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def story(here: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a small history, and files about its tables, as they are put back before each test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        settle(patch)
        for name, text in FILES.items():
            Path(name).parent.mkdir(exist_ok=True)
            Path(name).write_text(text, "utf-8")
        catalog = iceberg_catalog.open_catalog(here / "iceberg", "demo")
        iceberg_catalog.make_orders(catalog)
        for line in STORY:
            done = typed(*words_of(line, here))
            assert done.code in (0, 1), done
    return shutil.copytree(here, tmp_path_factory.mktemp("story") / "told", symlinks=True)


@pytest.fixture(autouse=True)
def lake(story: Path, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The story as it was told, for the lines of one test."""
    for path in here.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    shutil.copytree(story, here, symlinks=True, dirs_exist_ok=True)
    monkeypatch.chdir(here)
    settle(monkeypatch)


def settle(patch: pytest.MonkeyPatch) -> None:
    """Name the store and who types, as a shell does."""
    patch.setenv("AIRFLOW_SCHEMAS_STORE", "lake")
    patch.setenv("AIRFLOW_SCHEMAS_ACTOR", "ana@team-orders.example")


def words_of(line: str, here: Path) -> list[str]:
    """The words of a line, about the folder of this run."""
    return shlex.split(line.replace(HERE, str(here)))


def session(lines: Iterable[str], *options: str, columns: int = 100) -> str:
    """What a terminal shows of some lines, and the code that each ends with."""
    parts = []
    for line in lines:
        done = typed(*words_of(line, Path.cwd()), *options, columns=columns)
        errors = f"--- standard error\n{done.err}" if done.err else ""
        parts.append(f"$ airflow-schemas {line}\n{done.out}{errors}[{done.code}]\n")
    shown = "\n".join(parts)
    for mask, text in MASKS:
        shown = mask.sub(text, shown)
    return shown


def compare(name: str, shown: str) -> None:
    """Compare what is shown with a file."""
    path = FOLDER / name
    if os.environ.get("GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(shown, "utf-8")
    assert shown == path.read_text("utf-8"), f"if it should read so, GOLDEN=write pytest {__file__}"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", LINES)
def test_a_session_reads_well_on_a_terminal(name: str, width: int) -> None:
    options = () if name in HELP else (f"--width={width}",)
    shown = session(LINES[name], *options, columns=width)
    assert [line for line in shown.splitlines() if is_too_wide(line, width)] == []
    compare(f"{name}.{width}.txt", shown)


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("name", sorted(LINES.keys() - set(HELP)))
def test_a_session_reads_well_in_documents(name: str, format_: str) -> None:
    compare(f"{name}.{FORMATS[format_]}", session(LINES[name], f"--format={format_}"))


@pytest.mark.parametrize("format_", FOR_CI)
@pytest.mark.parametrize("name", WITH_VERDICTS)
def test_a_session_reads_well_in_a_format_of_ci(name: str, format_: str) -> None:
    compare(f"{name}.{FOR_CI[format_]}", session(LINES[name], f"--format={format_}"))


@pytest.mark.parametrize("format_", FOR_CI)
@pytest.mark.parametrize("name", WITH_DRY_RUN)
def test_a_dry_run_reads_well_in_a_format_of_ci(name: str, format_: str) -> None:
    lines = [*LINES[name][:2], f"{LINES[name][-1]} --dry-run"]
    compare(f"{name}.{FOR_CI[format_]}", session(lines, f"--format={format_}"))


def test_every_command_has_its_session() -> None:
    assert LINES.keys() == COMMANDS.keys() | {name for name in VERBS if not name.startswith("_")}


def is_too_wide(line: str, width: int) -> bool:
    """Whether a line goes over the edge of a terminal, whose words are not typed; an error is one line, for logs and for searching."""
    is_whole = line.startswith(("$ ", "airflow-schemas")) or commands(line)
    return display_width(line) > width and not is_whole
