"""Looking whether tables fit what a job needs, in their schemas or in the files of a partition.

The tables are judged when one has a new version, and every ten minutes besides, for waivers and policies come without a
version. In between a look is one listing a table: of its versions, or of its snapshots once its schema fits.
"""

import time
from collections.abc import Iterator, Mapping
from typing import Any, Final

from airflow_provider_schemas.core.contracts.check_contract import check_contract, checked_contract
from airflow_provider_schemas.core.report import Finding, Verdict
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.store.check_tables import REGISTERED, Judgement, TableAnswer, judge
from airflow_provider_schemas.store.data_files.landed_files import Landed, Landing
from airflow_provider_schemas.store.registry import contracts
from airflow_provider_schemas.store.registry.contract_record import NO_TEAM
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.triggers import shared_heads, store_cache
from airflow_provider_schemas.triggers.event_payload import display_name, find_version, is_no_table, origin_text, owner_text, short
from airflow_provider_schemas.triggers.look import LookAnswer
from airflow_provider_schemas.triggers.partition_filter import read_partitions
from airflow_provider_schemas.triggers.seen_versions import SeenVersion, seen_version

_JUDGED_AGAIN_SECONDS: Final = 600.0


class ContractLook:
    """Do the tables fit?"""

    def __init__(
        self,
        *,
        conn_id: str,
        reads: Mapping[str, Any],
        branch: str | None,
        until: str,
        partition: Mapping[str, Any] | None,
        policy: Any,
        consumer: str,
        since: Mapping[str, Any],
        poll: float = 0.0,
    ) -> None:
        self._conn_id = conn_id
        self._store = store_cache.store(conn_id)
        self._reads = dict(reads)
        self._branch = branch
        self._policy = policy
        self._consumer = consumer
        self._poll = poll
        self._since = {name: _seen(entry) for name, entry in since.items() if name in reads}
        self.tables = {name: self._store.table(name, branch) for name in reads}
        partitions = read_partitions(partition, reads, until)
        self._landings: dict[str, Landing] = {}
        if until == "files":
            self._landings = {name: Landing(table, partitions.get(name)) for name, table in self.tables.items()}
        self._judged: Judgement | None = None
        self._judge_again_at = 0.0
        self._fitting: dict[tuple[str, int], bool] = {}

    def forget(self) -> None:
        """Let the store be opened anew."""
        store_cache.forget(self._conn_id, self._store)

    def look(self) -> LookAnswer:
        self._check_landings()
        judged = self._judgement(anew=self._judged is None or not self._judged.fits)
        if not judged.fits:
            return LookAnswer("\n".join(_unfit_lines(judged, self._reads)))
        if not self._landings:
            return self._answer(judged, {})
        landed = {name: landing.look() for name, landing in self._landings.items()}
        if not all(map(self._fits, landed.values())):
            return LookAnswer("\n".join(self._waiting_lines(landed)))
        judged = self._judgement(anew=True)
        if not judged.fits:
            return LookAnswer("\n".join(_unfit_lines(judged, self._reads)))
        return self._answer(judged, landed)

    def _check_landings(self) -> None:
        """Refuse partitions that can never land before a wait begins."""
        for landing in self._landings.values():
            try:
                landing.check()
            except NotThereError as error:
                if not is_no_table(error):
                    raise

    # ------------------------------------------------------------ the schemas

    def _judgement(self, *, anew: bool) -> Judgement:
        """Return the last judgement, if no table has changed since; anew is whether to look for that."""
        if self._judged is not None and not self._must_judge(self._judged, anew=anew):
            return self._judged
        self._judged = judge(self._store, self._reads, policy=self._policy, consumer=self._consumer, since=self._since, branch=self._branch)
        self._judge_again_at = time.monotonic() + _JUDGED_AGAIN_SECONDS
        self._fitting = {}
        return self._judged

    def _must_judge(self, judged: Judgement, *, anew: bool) -> bool:
        if time.monotonic() >= self._judge_again_at:
            return True
        # A file that does not fit is followed by another without a new version.
        if any(map(_waits_for_data, judged.tables)):
            return True
        return anew and any(map(self._has_changed, judged.tables))

    def _has_changed(self, answer: TableAnswer) -> bool:
        table = self.tables[answer.table]
        if answer.version is None:
            return table.exists()
        try:
            if shared_heads.is_unchanged(self._conn_id, table, answer.version, self._poll):
                return False
            return bool(table.changed_since(answer.version))
        except NotThereError as error:
            if is_no_table(error):
                return True
            raise

    # ------------------------------------------------------------ the files

    def _fits(self, landed: Landed) -> bool:
        return landed.files > 0 and all(self._version_fits(landed.table, number) for number in landed.versions)

    def _version_fits(self, name: str, number: int) -> bool:
        key = (name, number)
        if key not in self._fitting:
            self._fitting[key] = self._check_version(self.tables[name], number)
        return self._fitting[key]

    def _check_version(self, table: Table, number: int) -> bool:
        need = self._reads[table.name]
        version = find_version(table, number)
        if need is None or version is None:
            return version is not None
        if need == REGISTERED:
            need = contracts.found(table.registry, table.id, self._consumer, home=self._store.team or NO_TEAM).contract
        return check_contract(version.schema, need, policy=table.policy().for_caller(self._policy), table=table.name, version=number).fits

    def _waiting_lines(self, landed: Mapping[str, Landed]) -> Iterator[str]:
        heads = {answer.table: answer.version for answer in self._judged_tables()}
        for name, files in landed.items():
            where = files.partition or "the table"
            fitting = sum(count for number, count in files.versions.items() if self._version_fits(name, number))
            head = heads.get(name)
            number = head.number if head else "?"
            table = f"{display_name(self.tables[name])} v{number} fits"
            if not files.files:
                yield f"{table}. Waiting for a file of {where} ..."
            elif fitting < files.files:
                others = ", ".join(f"v{number}" for number in files.versions if not self._version_fits(name, number))
                yield f"{table}. {where} has {fitting} of {files.files} files that fit, the others were written with {others}. Waiting ..."

    # ------------------------------------------------------------ the answer

    def _answer(self, judged: Judgement, landed: Mapping[str, Landed]) -> LookAnswer:
        tables: dict[str, Any] = {}
        lines: list[str] = []
        for answer in judged.tables:
            version = answer.version
            if version is None:
                continue
            files = landed.get(answer.table)
            entry = {"version": version.number, "digest": version.digest, "branch": version.branch}
            if files is not None:
                entry |= _files_entry(files)
            tables[answer.table] = entry
            lines.append(_fitting_line(answer, version, files, self.tables[answer.table]))
        return LookAnswer("\n".join(lines), {"status": "ok", "tables": tables})

    def owner(self) -> str:
        """Name the owners of the tables that do not fit."""
        unfit = (answer.version for answer in self._judged_tables() if not answer.fits)
        return " ".join(dict.fromkeys(owner_text(version) for version in unfit if version is not None))

    def _judged_tables(self) -> tuple[TableAnswer, ...]:
        """Return the answers of the last look; none before the first one."""
        if self._judged is None:
            return ()
        return self._judged.tables


def _seen(entry: Mapping[str, Any]) -> SeenVersion:
    return seen_version(entry["version"], entry["digest"], entry.get("table_id", ""))


def _waits_for_data(answer: TableAnswer) -> bool:
    return not answer.fits and answer.judged_by.startswith("footer")


def _files_entry(landed: Landed) -> dict[str, Any]:
    return {"partition": landed.partition, "files": landed.files, "snapshot": landed.snapshot}


def _fitting_line(answer: TableAnswer, version: Version, landed: Landed | None, table: Table) -> str:
    head = f"{display_name(table)} v{version.number}"
    if landed is None:
        return f"{head} fits ({origin_text(version)}), {answer.report.basis}. Go."
    numbers = ", ".join(f"v{number}" for number in landed.versions)
    return f"{head}: {landed.partition or 'the table'} has {landed.files} of {landed.files} files that fit ({numbers}). Go."


def _unfit_lines(judged: Judgement, reads: Mapping[str, Any]) -> Iterator[str]:
    """Say what does not fit yet, table by table."""
    for answer in judged.tables:
        if answer.fits:
            continue
        breaking = [finding for finding in answer.report.findings if finding.verdict not in (Verdict.OK, Verdict.WARN)]
        head = f"{answer.table} v{answer.version.number}: " if answer.version else ""
        if not breaking:
            yield f"{head}it does not fit."
            continue
        line = f"{head}{_describe(breaking[0], reads.get(answer.table))}"
        if len(breaking) > 1:
            line += f" (+{len(breaking) - 1} more)"
        yield line


def _describe(finding: Finding, need: Any) -> str:
    """Say what is waited for: a column that is not there yet, with the type that the job takes; else the message of the finding."""
    if finding.rule != "EXPECT_FIELD_MISSING" or need is None or need == REGISTERED:
        return short(finding.message)
    types = (column.type for column in checked_contract(need).columns if column.name == finding.path)
    wanted = next(types, None)
    if not wanted:
        return short(f"no {finding.path} yet.")
    return short(f"no {finding.path} yet (want {wanted}).")
