"""Whom an exception for one job spares: the job of the team that it names, as `JOB (TEAM)`; without one, the only job of that name.

Jobs of two teams may have one name. What one of them accepts, the other has not accepted, at whatever door it is judged.
"""

import re
from collections.abc import Callable, Iterable
from typing import Final

from airflow_provider_schemas.core.policies.policy import Policy, Waiver
from airflow_provider_schemas.errors import PolicyError
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.registry import contracts
from airflow_provider_schemas.store.registry.contract_record import NO_TEAM, Registered
from airflow_provider_schemas.store.storage.files import Files

_WITH_TEAM: Final = re.compile(r".+ \(.+\)", re.DOTALL)


def for_jobs(policy: Policy, files: Files, name: TableName) -> Policy:
    """Return the policy for a judgement of all registered jobs of a table."""
    return among(policy, lambda: contracts.listed(files, name))


def among(policy: Policy, registered: Callable[[], Iterable[Registered]]) -> Policy:
    """Return the policy in which each exception names its job as the contract of the job does."""
    if not _names_jobs(policy):
        return policy
    names = {_of_team(one.consumer, one.team): one.contract.name for one in registered()}
    return policy.with_exceptions(lambda waiver: _for(waiver, names.get(waiver.consumer, waiver.consumer)))


def for_job(policy: Policy, files: Files, name: TableName, job: str, team: str) -> Policy:
    """Return the policy for a judgement of one job of a team: exceptions for jobs of other teams are none for it."""
    if not job or not _names_jobs(policy):
        return policy
    own, home = _of_team(job, team or NO_TEAM), team or NO_TEAM
    is_named = any(waiver.consumer == job for part in policy.joined() for waiver in part.exceptions)
    has_namesakes = is_named and any(other != home for other in contracts.teams_of(files, name, job))

    def known(waiver: Waiver) -> Waiver | None:
        if waiver.consumer == job and has_namesakes:
            return None
        return _for(waiver, job) if waiver.consumer == own else waiver

    return policy.with_exceptions(known)


def meant(files: Files, name: TableName, job: str, team: str) -> str:
    """Return the job that an exception shall be for, with its team where one is known; PolicyError if it may be that of several."""
    if not job or _WITH_TEAM.fullmatch(job):
        return job
    teams = contracts.teams_of(files, name, job)
    choices = dict.fromkeys([*teams, *([team] if team and teams else [])])
    if len(choices) > 1 and team not in teams:
        message = f"jobs of {len(teams)} teams are called {job}." if len(teams) > 1 else f"{job} is a job of {teams[0]}, and not of {team}."
        fix = f"Name the team as well: {' or '.join(repr(_of_team(job, one)) for one in [*choices][:5])}."
        raise PolicyError(f"which job is meant is not said: {message}", code="waiver.several-teams", path="consumer", fix=fix)
    own = team or next(iter(teams), NO_TEAM)
    return job if own == NO_TEAM and len(teams) < 2 else _of_team(job, own)


def _of_team(job: str, team: str) -> str:
    return f"{job} ({team})"


def _for(waiver: Waiver, job: str) -> Waiver:
    return waiver if waiver.consumer == job else waiver.model_copy(update={"consumer": job})


def _names_jobs(policy: Policy) -> bool:
    return any(waiver.consumer for part in policy.joined() for waiver in part.exceptions)
