"""The demo: a table, a change, a gate and a Spark job, run by Airflow; the same again; and a change that would break the job.

Everything is left in build/demo: a home of Airflow with a database, the warehouse, and what the commands printed.
"""

import shlex
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Mapping
from pathlib import Path

from tools.airflow_home import BIN, connection, environment, migrated
from tools.dag_log import Said, told

TOP = Path(__file__).parent.parent
FOLDER = TOP / "build" / "demo"
DAG = "schemas_quickstart"
TASKS = {
    "create": "makes the table shop.orders: a small file with its schema, in a folder or on S3",
    "check": "says what a change would do, and to whom; it writes nothing",
    "widen": "makes the change: a column more, and a wider amount",
    "gate": "asks whether the table fits the job behind it, and registers what the job needs",
    "report": "is the job: Spark on this machine. It asks once more at its own door",
}
RENAME = "RENAME COLUMN cust_id TO customer_id"
_WIDTH = 118
_THEN = f"""Then http://localhost:8080/dags/{DAG}, where nobody asks for a password: the three runs with their states, and
what each task left behind. Their logs are in build/demo, since they ran without a server. Switch the DAG on and start it
to see the log of gate there."""


def main() -> int:
    """Tell the story from start to end."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    (FOLDER / "dags").mkdir(parents=True)
    shutil.copy(TOP / "example_dags" / "quickstart.py", FOLDER / "dags")
    lake = connection("schema_store", (FOLDER / "lake").as_uri())
    given = environment(FOLDER / "airflow", FOLDER / "dags", AIRFLOW_CONN_LAKE=lake)
    title("An Airflow of its own, in build/demo/airflow (SQLite, no server)")
    migrated(FOLDER / "airflow")
    title("1. A table, a change of it, a gate, and a Spark job behind the gate")
    for task, does in TASKS.items():
        print(f"    {task:8} {does}")
    if not run(given, 1):
        return 1
    title("2. The same DAG once more, as after a retry or a cleared run: nothing is written twice")
    again = run(given, 2)
    title("3. Somebody wants another name for cust_id. The gate has registered who reads it: refused, nothing is written")
    refused = command(given, "evolve", "shop.orders", RENAME)
    title("4. They do it all the same, as any other engine could: the gate stops the job")
    broke = command(given, "evolve", "shop.orders", RENAME, "--override", "the new shop is released tonight")
    stopped = run(given, 3)
    title("5. Look at it in the UI")
    print(textwrap.indent(how_to_look(given), "    "))
    return int(not (again and refused and not broke and not stopped))


def title(text: str) -> None:
    """The next part."""
    print(f"\n{f'---- {text} ':-<{_WIDTH}}", flush=True)


def run(given: Mapping[str, str], number: int) -> bool:
    """Run the DAG, and print what each task said; whether all went well."""
    print(f"$ airflow dags test {DAG}", flush=True)
    began = time.monotonic()
    done = subprocess.run(
        [str(BIN / "airflow"), "dags", "test", DAG],
        env=dict(given),
        cwd=FOLDER,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    (FOLDER / f"run-{number}.txt").write_text(done.stdout + done.stderr)
    ran = {one.task: one for one in told(done.stdout)}
    for task in TASKS:
        show(task, ran.get(task))
    ends = "all went well" if done.returncode == 0 else "the run failed"
    print(f"    {ends}, {time.monotonic() - began:.0f} s; all that Airflow said: build/demo/run-{number}.txt")
    return done.returncode == 0


def show(task: str, said: Said | None) -> None:
    """A task with its lines; one that did not run."""
    first, *more = said.lines or ["(nothing to say)"] if said else ["did not run"]
    print(f"  {task:8}{first}", *(f"          {line}" for line in more), sep="\n")


def command(given: Mapping[str, str], *arguments: str) -> bool:
    """Run a command of ours, and print what it prints; whether it was refused."""
    typed = " ".join(f'"{one}"' if " " in one else one for one in arguments)
    print(f"$ airflow-schemas {typed} --conn lake", flush=True)
    line = [str(BIN / "airflow-schemas"), *arguments, "--conn", "lake", "--width", str(_WIDTH - 4), "--no-color"]
    done = subprocess.run(line, env=dict(given), cwd=FOLDER, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    print(textwrap.indent((done.stdout + done.stderr).rstrip(), "    "))
    return done.returncode != 0


def how_to_look(given: Mapping[str, str]) -> str:
    """The commands that open the UI on what has just happened; they are left in a file, too."""
    names = ("AIRFLOW_HOME", "AIRFLOW__CORE__DAGS_FOLDER", "AIRFLOW__CORE__LOAD_EXAMPLES", "AIRFLOW_CONN_LAKE")
    lines = [
        *(f"export {name}={shlex.quote(given[name])}" for name in names),
        "export AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_ALL_ADMINS=True AIRFLOW__API__HOST=127.0.0.1",
        f'export PATH={shlex.quote(str(BIN))}:"$PATH"',
        "airflow standalone",
    ]
    (FOLDER / "ui.sh").write_text("\n".join([*lines, ""]))
    return "\n".join(["sh build/demo/ui.sh        # until Ctrl-C. It types this:", *(f"  {line}" for line in lines), _THEN])


if __name__ == "__main__":
    sys.exit(main())
