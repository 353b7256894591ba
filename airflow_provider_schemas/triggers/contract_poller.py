"""Looking whether tables fit what a job needs, in their schemas or in the files of a partition.

The judge is asked when a table has moved, and every ten minutes besides, for waivers and policies come without a
version. In between a look is one listing a table: of its versions, or of its snapshots once its schema fits.
"""

import time
from collections.abc import Iterator, Mapping
from typing import Any, Final

from airflow_provider_schemas.core.contracts.check_contract import check_contract, checked_contract
from airflow_provider_schemas.core.report import Finding, Verdict
from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.store.check_tables import REGISTERED, Judgement, TableAnswer, judge
from airflow_provider_schemas.store.data_files.landed_files import Landed, Landing
from airflow_provider_schemas.store.registry import contracts
from airflow_provider_schemas.store.registry.contract_record import NO_TEAM
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.triggers import store_cache
from airflow_provider_schemas.triggers.event_payload import called, is_no_table, short, there, where_from, whom_to_ask
from airflow_provider_schemas.triggers.look import Answer
from airflow_provider_schemas.triggers.partition_filter import by_table

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
    ) -> None:
        self._conn_id, self._store = conn_id, store_cache.store(conn_id)
        self._reads, self._branch, self._policy, self._consumer = dict(reads), branch, policy, consumer
        self._since = {name: (seen["version"], seen["digest"]) for name, seen in since.items() if name in reads}
        self.tables = {name: self._store.table(name, branch) for name in reads}
        meant = by_table(partition, reads, until)
        self._landings = {name: Landing(table, meant.get(name)) for name, table in self.tables.items()} if until == "files" else {}
        self._judged: Judgement | None = None
        self._again = 0.0
        self._fitting: dict[tuple[str, int], bool] = {}

    def forget(self) -> None:
        """Let the store be opened anew."""
        store_cache.forget(self._conn_id, self._store)

    def look(self) -> Answer:
        self._check_landings()
        judged = self._judgement(anew=self._judged is None or not self._judged.fits)
        if not judged.fits:
            return Answer("\n".join(_lacks(judged, self._reads)))
        if not self._landings:
            return self._done(judged, {})
        landed = {name: landing.look() for name, landing in self._landings.items()}
        if not all(self._fits(one) for one in landed.values()):
            return Answer("\n".join(self._waiting(landed)))
        judged = self._judgement(anew=True)
        return self._done(judged, landed) if judged.fits else Answer("\n".join(_lacks(judged, self._reads)))

    def _check_landings(self) -> None:
        """Refuse what will never land before anybody waits for it."""
        for landing in self._landings.values():
            try:
                landing.check()
            except NotThereError as error:
                if not is_no_table(error):
                    raise

    # ------------------------------------------------------------ the schemas

    def _judgement(self, *, anew: bool) -> Judgement:
        """The last one, if nothing has moved since; anew is whether to look for that."""
        # A file that does not fit is followed by another without a new version.
        due = self._judged is None or time.monotonic() >= self._again or any(map(_waits_for_data, self._judged.tables))
        if self._judged is not None and not due and not (anew and any(map(self._moved, self._judged.tables))):
            return self._judged
        self._judged = judge(self._store, self._reads, policy=self._policy, consumer=self._consumer, since=self._since, branch=self._branch)
        self._again, self._fitting = time.monotonic() + _JUDGED_AGAIN_SECONDS, {}
        return self._judged

    def _moved(self, answer: TableAnswer) -> bool:
        table = self.tables[answer.table]
        if answer.version is None:
            return table.exists()
        try:
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
            self._fitting[key] = self._checked(self.tables[name], number)
        return self._fitting[key]

    def _checked(self, table: Table, number: int) -> bool:
        need, version = self._reads[table.name], there(table, number)
        if need is None or version is None:
            return version is not None
        if need == REGISTERED:
            need = contracts.found(table.registry, table.id, self._consumer, home=self._store.team or NO_TEAM).contract
        return check_contract(version.schema, need, policy=table.policy().for_caller(self._policy), table=table.name, version=number).fits

    def _waiting(self, landed: Mapping[str, Landed]) -> Iterator[str]:
        for name, one in landed.items():
            where = one.partition or "the table"
            fitting = sum(count for number, count in one.versions.items() if self._version_fits(name, number))
            heads = {answer.table: answer.version for answer in (self._judged.tables if self._judged else ())}
            head = heads.get(name)
            known = f"{called(self.tables[name])} v{head.number if head else '?'} fits"
            if not one.files:
                yield f"{known}. Waiting for a file of {where} ..."
            elif fitting < one.files:
                others = ", ".join(f"v{number}" for number in one.versions if not self._version_fits(name, number))
                yield f"{known}. {where} has {fitting} of {one.files} files that fit, the others were written with {others}. Waiting ..."

    # ------------------------------------------------------------ what comes of it

    def _done(self, judged: Judgement, landed: Mapping[str, Landed]) -> Answer:
        tables: dict[str, Any] = {}
        said: list[str] = []
        for one in judged.tables:
            if one.version is not None:
                tables[one.table] = {
                    "version": one.version.number,
                    "digest": one.version.digest,
                    "branch": one.version.branch,
                    **_of_landed(landed.get(one.table)),
                }
                said.append(_fits_now(one, landed.get(one.table), self.tables[one.table]))
        return Answer("\n".join(said), {"status": "ok", "tables": tables})

    def owner(self) -> str:
        """Whom to ask about the tables that do not fit."""
        judged = self._judged.tables if self._judged else ()
        return " ".join(dict.fromkeys(whom_to_ask(one.version) for one in judged if one.version is not None and not one.fits))


def _waits_for_data(answer: TableAnswer) -> bool:
    return not answer.fits and answer.judged_by.startswith("footer")


def _of_landed(landed: Landed | None) -> dict[str, Any]:
    return {} if landed is None else {"partition": landed.partition, "files": landed.files, "snapshot": landed.snapshot}


def _fits_now(answer: TableAnswer, landed: Landed | None, table: Table) -> str:
    version = answer.version
    if version is None:
        return ""
    head = f"{called(table)} v{version.number}"
    if landed is None:
        return f"{head} fits ({where_from(version)}), {answer.report.basis}. Go."
    numbers = ", ".join(f"v{number}" for number in landed.versions)
    return f"{head}: {landed.partition or 'the table'} has {landed.files} of {landed.files} files that fit ({numbers}). Go."


def _lacks(judged: Judgement, reads: Mapping[str, Any]) -> Iterator[str]:
    """What does not fit yet, table by table."""
    for one in judged.tables:
        if not one.fits:
            worst = [finding for finding in one.report.findings if finding.verdict not in (Verdict.OK, Verdict.WARN)]
            more = f" (+{len(worst) - 1} more)" if len(worst) > 1 else ""
            head = f"{one.table} v{one.version.number}: " if one.version else ""
            yield f"{head}{_lack(worst[0], reads.get(one.table))}{more}" if worst else f"{head}it does not fit."


def _lack(finding: Finding, need: Any) -> str:
    """What is waited for: a column that is not there yet, with the type that the job takes; else what is said of it."""
    if finding.rule != "EXPECT_FIELD_MISSING" or need is None or need == REGISTERED:
        return short(finding.message)
    wanted = next((one.type for one in checked_contract(need).columns if one.name == finding.path), None)
    return short(f"no {finding.path} yet" + (f" (want {wanted})." if wanted else "."))
