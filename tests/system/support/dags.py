"""The DAGs of the system test: those that lie in dag_files, and the examples that need a scheduler, with less patience."""

import shutil
from pathlib import Path

from tests.system.support.story import DAGS as STORY

FILES = Path(__file__).parents[1] / "dag_files"
EXAMPLES = Path(__file__).parents[3] / "example_dags"
# Nobody waits until six in the morning, or for a minute.
_SOONER = {
    "evolution_on_schedule.py": ('schedule="0 6 * * 1-5"', "schedule=None"),
    "watch_a_table.py": ("poll=60", "poll=1"),
    "schemas/shop/orders.yaml": ("{name: cust_id,  type: BIGINT}", "{name: customer_id, type: BIGINT, was: cust_id}"),
}
_ON_EACH = ("wait", "watch", "hear", "change", "gate", "seen", "guard", "evolve")
ATTACKS = (
    "alias",
    "ambiguous",
    "described",
    "emptied",
    "first_run",
    "footer",
    "order",
    "rename",
    "stale",
    "struct",
    "two_files",
    "unmounted",
)


def lay_out(folder: Path) -> None:
    """Copy them where Airflow looks for them."""
    shutil.copytree(FILES, folder)
    shutil.copytree(EXAMPLES / "schemas", folder / "schemas", dirs_exist_ok=True)
    for name, (said, instead) in _SOONER.items():
        text = (EXAMPLES / name).read_text("utf-8")
        assert said in text, f"{name} does not say {said} any more"
        (folder / name).write_text(text.replace(said, instead))


def names() -> set[str]:
    """What Airflow must have read before anything begins."""
    return {f"{name}_{conn}" for name in _ON_EACH for conn in ("lake", "lake_s3")} | {
        "skip",
        "fleet",
        "give_up",
        "evolve_shop",
        "mounted_file",
        "mounted_change",
        "watch_a_table",
        *(f"attack_{name}" for name in ATTACKS),
        *STORY,
    }
