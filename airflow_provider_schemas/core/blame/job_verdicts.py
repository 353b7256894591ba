"""Judge jobs against versions, as a gate does; what was judged within the same minute is not judged again."""

import hashlib
import os
import threading
from collections import OrderedDict
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from airflow_provider_schemas.core.contracts.check_contract import check_contract
from airflow_provider_schemas.core.policies.given_policy import judging
from airflow_provider_schemas.core.policies.plain_policy import Judging
from airflow_provider_schemas.core.policies.severity import moment
from airflow_provider_schemas.core.report import SEVERITY, Report, Verdict
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import SchemaError

if TYPE_CHECKING:
    from airflow_provider_schemas.core.contracts.contract import Contract

_MOST: Final = 20_000


class JobVerdict(NamedTuple):
    """Whether a job fits a version."""

    verdict: Verdict | None
    """None where it could not be judged."""
    sentence: str = ""
    """Why it does not fit, or could not be judged."""


class _VerdictCache:
    """What was judged, by everything that the verdict depends on. Those that nobody has asked for the longest time make room."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._known: OrderedDict[tuple[str, ...], JobVerdict] = OrderedDict()
        self._lock = threading.Lock()
        self._pid = os.getpid()

    def _process_lock(self) -> threading.Lock:
        """Return the lock of this process. After a fork begin anew: the lock may be held for ever."""
        if self._pid != os.getpid():
            self._begin()
        return self._lock

    def get(self, key: tuple[str, ...]) -> JobVerdict | None:
        with self._process_lock():
            return self._known.get(key)

    def put(self, key: tuple[str, ...], verdict: JobVerdict) -> None:
        with self._process_lock():
            self._known[key] = verdict
            while len(self._known) > _MOST:
                self._known.popitem(last=False)


_CACHE: Final = _VerdictCache()


class JobJudge:
    """Judges jobs of one table at one moment under one policy."""

    def __init__(self, table: str, policy: Judging | Mapping[str, Any] | None = None, now: datetime | None = None) -> None:
        self._table = table
        self._policy = judging(policy)
        self._now = moment(now)
        self._common = (table, _digest(_policy_text(self._policy)), f"{self._now:%Y-%m-%dT%H:%M}")
        self._contracts: dict[int, tuple[Contract, str]] = {}

    def verdict(self, version: Version, contract: "Contract") -> JobVerdict:
        """Return whether the job of a contract fits a version."""
        key = (*self._common, version.digest, str(version.number), self._contract_digest(contract))
        known = _CACHE.get(key) if version.digest else None
        if known is None:
            known = self._judged(version, contract)
            if version.digest:
                _CACHE.put(key, known)
        return known

    def _judged(self, version: Version, contract: "Contract") -> JobVerdict:
        about: dict[str, Any] = {"policy": self._policy, "table": self._table, "version": version.number, "now": self._now}
        try:
            report = check_contract(version.schema, contract, **about)
        except SchemaError as error:
            return JobVerdict(None, f"it could not be judged: {error.message}")
        return JobVerdict(report.verdict, sentence(report))

    def _contract_digest(self, contract: "Contract") -> str:
        known = self._contracts.get(id(contract))
        if known is None:
            inner = {need.name: dict(need.inner) for need in contract.columns if need.inner}
            known = self._contracts[id(contract)] = (contract, _digest(f"{contract.model_dump_json()}{inner}"))
        return known[1]


def sentence(report: Report) -> str:
    """Return the worst finding of a report in its sentence, and how many others there are; empty where nothing is to be said."""
    notable = [finding for finding in report.findings if finding.verdict is not Verdict.OK]
    if not notable:
        return ""
    first = max(notable, key=lambda finding: SEVERITY[finding.verdict])
    others = len(notable) - 1
    if not others:
        return first.message
    return f"{first.message.rstrip('.')}; and {others} more finding{'s' if others > 1 else ''}."


def _policy_text(policy: Judging) -> str:
    """Return everything that a policy says, as text; what has no JSON is told apart by its representation."""
    dump = getattr(policy, "model_dump_json", None)
    joined = ",".join(map(repr, policy.joined()))
    return f"{dump() if dump else policy!r}{joined}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
