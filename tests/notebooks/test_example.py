"""The notebook of the documentation runs from its first cell to its last, in a kernel of its own, and shows HTML that is safe to show."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.notebooks.support.cells import problems

if TYPE_CHECKING:
    from nbformat import NotebookNode

EXAMPLE = Path(__file__).parents[2] / "docs/examples/notebook/schemas.ipynb"
LINES = {
    "create_table": "<Committed shop.orders v0: created, fits>",
    "orders = ": "Table('shop.orders')",
    "consumer=": "<Registered churn.gate: contract 0, 1 column (order_id)>",
    "plan = ": "<Plan shop.orders: on v2, 1 change, breaks>",
    "plan.report": "<Report shop.orders v2 -> v3: breaks, 1 finding (1 break)>",
    "diff(": "<Diff 2 changes>",
    ".blame()": "<TableBlame shop.orders v2: 4 columns, 1 changed>",
    ".who(": "<ColumnReaders shop.orders.cust_id v2: 1 registered contract>",
    "orderz": "Table('shop.orderz')",
}
WORDS = {
    "orders = ": "shop.orders v0",
    "plan = ": "needs approval",
    "plan.report": "daily_report.gate",
    "diff(": "ADD COLUMN coupon STRING",
    ".blame()": "DECIMAL(10, 2) -&gt; DECIMAL(12, 2)",
    ".who(": "daily_report.gate",
    "readers_by_version": "churn.gate",
    "history()": "by ana",
    "orderz": "there is no schema of shop.orderz",
}


def read() -> "NotebookNode":
    import nbformat

    notebook: NotebookNode = nbformat.read(EXAMPLE, as_version=4)  # type: ignore[no-untyped-call]  # nbformat has types in part
    return notebook


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """Run the notebook, and return what each cell shows, by the code of the cell."""
    from nbclient import NotebookClient

    folder = tmp_path_factory.mktemp("notebook")
    notebook = read()
    with pytest.MonkeyPatch.context() as patched:
        for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR"):
            patched.setenv(name, str(folder / name.lower()))
        NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    return {cell.source: _shown(cell.outputs) for cell in notebook.cells if cell.cell_type == "code"}


def _shown(outputs: list[Any]) -> dict[str, str]:
    shown: dict[str, str] = {}
    for output in outputs:
        shown |= output.get("data", {output.output_type: str(output)})
    return shown


def of_cell(cells: dict[str, dict[str, str]], word: str) -> dict[str, str]:
    """Return what the one cell shows whose code has this word."""
    (shown,) = [shown for code, shown in cells.items() if word in code]
    return shown


def test_each_value_is_one_line_and_html(cells: dict[str, dict[str, str]]) -> None:
    assert {word: of_cell(cells, word)["text/plain"] for word in LINES} == LINES
    assert [word for word, text in WORDS.items() if text not in of_cell(cells, word)["text/html"]] == []


def test_no_cell_prints_or_warns(cells: dict[str, dict[str, str]]) -> None:
    assert {kind for shown in cells.values() for kind in shown} == {"text/plain", "text/html"}


def test_no_cell_holds_a_script_or_asks_for_a_resource(cells: dict[str, dict[str, str]]) -> None:
    pieces = [shown["text/html"] for shown in cells.values() if "text/html" in shown]
    assert len(pieces) > 8
    assert [problem for piece in pieces for problem in problems(piece)] == []


def test_the_notebook_is_kept_without_outputs() -> None:
    import nbformat

    notebook = read()
    nbformat.validate(notebook)
    assert [cell.source for cell in notebook.cells if cell.get("outputs") or cell.get("execution_count")] == []
