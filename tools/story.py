"""The story of the library: a table file, a breaking edit of it, the report, the plan; old rows read as new; and a store.

The story is typed into Python as it stands here: every line behind >>> is run, and what comes out is printed below it.
"""

import contextlib
import io
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from airflow_provider_schemas.errors import SchemaError

TOP = Path(__file__).parent.parent
WIDTH = 118

STORY = """
1. A table as people write it: a file in git, with an owner, and every column with its type
>>> from pathlib import Path
>>> from airflow_provider_schemas.core import Contract, Plan, Policy, Version
>>> from airflow_provider_schemas.formats import table_file
>>> from airflow_provider_schemas.render import text
>>> print(Path("docs/examples/demo/orders.yaml").read_text())
>>> first = table_file.read(Path("docs/examples/demo/orders.yaml").read_text(), "docs/examples/demo/orders.yaml").create()
>>> print(first)
2. The jobs say what they need: reader contracts
>>> jobs = [
...     Contract.of("order_id BIGINT NOT NULL, cust_id BIGINT", name="daily_report", owner="team-bi", contact="#bi-oncall"),
...     Contract.of(["order_id", "amount"], name="ltv_model", owner="team-ml", contact="#ml-oncall"),
... ]
3. Somebody edits the file: a column is renamed, one is new, one goes
>>> print(Path("docs/examples/demo/orders-edited.yaml").read_text())
4. The plan: what would happen, whom it breaks, why, and what to do instead
>>> head = Version.read(first.to_json().encode(), 0)
>>> edited = table_file.read(Path("docs/examples/demo/orders-edited.yaml").read_text(), "docs/examples/demo/orders-edited.yaml")
>>> plan = table_file.plan(edited, head, policy=Policy(registry_complete=True), contracts=jobs)
>>> print(text(plan, width=100, color=False))
>>> print(plan.verdict, plan.report.fits)
5. What the plan says of its findings, as the pull request shows it
>>> print(text(plan.report, width=100, color=False))
6. The author keeps the old name as an alias until the job has moved: the plan no longer breaks anybody
>>> kept = Path("docs/examples/demo/orders-edited.yaml").read_text().replace("was: cust_id", "was: cust_id, alias: {cust_id: 2999-12-31}")
>>> plan = table_file.plan(table_file.read(kept, "orders.yaml"), head, policy=Policy(registry_complete=True), contracts=jobs)
>>> print(plan.verdict, plan.report.fits)
7. A plan travels as JSON, and is bound to the version it was made on: it is refused when the table has moved on
>>> plan = Plan.from_json(plan.to_json())
>>> second = plan.apply(head)
>>> print(second)
>>> moved = Version.read(second.to_json().encode(), 1)
>>> plan.apply(moved)
8. Mistakes in a file: all at once, each with its line
>>> table_file.read(Path("docs/examples/demo/orders-wrong.yaml").read_text(), "docs/examples/demo/orders-wrong.yaml")
9. Old rows: a file that Java Paimon wrote is read, evolved, and its rows are read as new
>>> from airflow_provider_schemas.core import TableSchema, diff, evolve, merge, project, short_text
>>> data = Path("tests/conformance/vectors/real/F07.json").read_bytes()
>>> real = TableSchema.from_json(data)
>>> real.to_json().encode() == data
>>> evolved = evolve(real, ["RENAME COLUMN k TO kind", "ALTER COLUMN c TYPE BIGINT"])
>>> print(*map(short_text, diff(real, evolved).changes), sep="\\n")
>>> wider = merge(evolved, "e BIGINT, seen DATE")
>>> print(project(real, wider))
>>> project(real, wider).row({"key0": 0, "key1": 1, "key_2": 2, "k": "a", "c": 3, "d": 4, "a": 5, "e": 6})
10. A store keeps every version, without a server: here in a folder that is gone afterwards, elsewhere on S3, GCS or Azure
>>> from tempfile import TemporaryDirectory
>>> from airflow_provider_schemas.store import SchemaStore
>>> folder = TemporaryDirectory()
>>> store = SchemaStore(folder.name, actor="ana", team="team-bi")
>>> created = store.create_table("shop.orders", first)
>>> print(created.outcome, created.number, created.guarantee, sep=" · ")
>>> orders = store.table("shop.orders")
>>> wider = orders.evolve(["ADD COLUMN region STRING", "ALTER COLUMN amount TYPE DECIMAL(14, 2)"], run="nightly 2026-11-18")
>>> print(wider.outcome, wider.number, wider.report.verdict, sep=" · ")
11. The jobs register what they need: a change that breaks one is refused, and nothing is written
>>> registered = [orders.register(job) for job in jobs]
>>> orders.evolve("RENAME COLUMN cust_id TO customer_id")
12. The way out at three in the morning: let it through until a day; and the way back, by a new version
>>> print(orders.waive("FIELD_RENAMED", "cust_id", until="2999-12-31", reason="INC-4711"))
>>> waived = orders.evolve("RENAME COLUMN cust_id TO customer_id")
>>> print(waived.outcome, waived.number, waived.report.findings[0].waived, sep=" · ")
>>> restored = orders.restore(1)
>>> print(restored.outcome, restored.number, *restored.notes, sep=" · ")
>>> print(orders.history())
>>> folder.cleanup()
"""


def main() -> int:
    """Tell the story from start to end."""
    names: dict[str, Any] = {}
    with contextlib.chdir(TOP):
        for text in parts(STORY):
            if not text.startswith(">>> "):
                print(f"\n{f'---- {text} ':-<{WIDTH}}")
                continue
            print(text)
            for line in answer(text, names).splitlines():
                print(textwrap.fill(line, WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 10))
    print("\nThat was the library. With Airflow: make demo. What each part does, and more of it: docs/index.md")
    return 0


def parts(story: str) -> Iterator[str]:
    """The titles of the story, and its statements with the lines that go on with them."""
    held = ""
    for line in story.strip().splitlines():
        if held and not line.startswith("... "):
            yield held
            held = ""
        held = f"{held}\n{line}" if held else line
    yield held


def answer(typed: str, names: dict[str, Any]) -> str:
    """What Python prints when this is typed; of a refusal, the last line of its traceback."""
    source = "".join(f"{line[4:]}\n" for line in typed.splitlines())
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(source, "<story>", "single"), names)
        except SchemaError as error:
            print(f"{type(error).__name__}: {error}")
    return out.getvalue()


if __name__ == "__main__":
    sys.exit(main())
