"""Findings that weigh less than their rule says, because the change gives something back, or because it mends registered contracts."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from airflow_provider_schemas.core.compatibility.fixes import fix_of_mending, keeps
from airflow_provider_schemas.core.compatibility.old_data import FileSchemas, OldDataEffect, lost_versions
from airflow_provider_schemas.core.compatibility.repairs import hidden, repairs
from airflow_provider_schemas.core.compatibility.return_texts import return_fix, return_message, return_why
from airflow_provider_schemas.core.compatibility.returns import brings_back, brings_back_name_or_type, restored
from airflow_provider_schemas.core.difference import RENAMING, Observation
from airflow_provider_schemas.core.engines.readers import Reader
from airflow_provider_schemas.core.policies.severity import Ruling
from airflow_provider_schemas.core.report import Consumer, Finding, Verdict, at_most
from airflow_provider_schemas.core.schema.history import History


class MilderFindings(NamedTuple):
    """What decides how much less a finding of one step weighs.

    Each method changes answers of a finding that has a verdict already, and so has `ruling` give the verdict and `waived` anew: what
    else set these two is lost.
    """

    history: History
    """All earlier schemas."""
    live_history: History
    """Those of them that are in use, whether or not the policy counts them; `files` is what it counts."""
    files: FileSchemas
    readers: Sequence[Reader]
    ruling: Ruling

    def after_return(self, finding: Finding, observation: Observation, effects: Sequence[OldDataEffect]) -> Finding:
        """Return the finding; where a field gets back what it had, it names the files concerned, and does not propose to go back."""
        if finding.verdict is Verdict.INVALID or not brings_back(observation, self.history):
            return finding
        again = restored(observation, self.live_history, self.readers)
        lost = lost_versions(observation, effects, self.files, self.readers)
        repaired = self._repairs(observation, lost)
        keeps_alias = keeps(finding)
        fix = ""
        if not keeps_alias:
            fix = return_fix(observation, again, lost, breaks=bool(finding.consumers), repaired=repaired)
        unruled = msgspec.structs.replace(
            finding,
            message=return_message(observation, finding.message, again, lost, self.files),
            fix=fix or finding.fix,
            why=finding.why or return_why(observation),
            restores=again,
            changes=finding.changes if keeps_alias else (),
            data=at_most(Verdict.WARN, finding.data) if repaired else finding.data,
        )
        return self.ruling.ruled(unruled, observation.paths)

    def after_mending(
        self, finding: Finding, observation: Observation, effects: Sequence[OldDataEffect], mended: tuple[Consumer, ...]
    ) -> Finding:
        """Return the finding; one that gives registered readers what they lack, and takes nothing from others, only warns."""
        if not mended or finding.rule != observation.rule:
            return finding
        mending = msgspec.structs.replace(finding, mends=mended)
        if finding.consumers or finding.verdict is Verdict.INVALID:
            return mending
        says_what_to_do = brings_back_name_or_type(observation, self.history)
        keeps_files = self._gives_more_than_it_takes(mending, observation, effects)
        unruled = msgspec.structs.replace(
            mending,
            fix=mending.fix if says_what_to_do else fix_of_mending(observation),
            changes=(),
            data=at_most(Verdict.WARN, mending.data) if keeps_files else mending.data,
            jobs=at_most(Verdict.WARN, mending.jobs),
            writers=at_most(Verdict.WARN, mending.writers),
        )
        return self.ruling.ruled(unruled, observation.paths)

    def _gives_more_than_it_takes(self, finding: Finding, observation: Observation, effects: Sequence[OldDataEffect]) -> bool:
        """Return whether what comes back outweighs what goes: as many files, or a name that readers need and no other field has."""
        if observation.rule in RENAMING and finding.restores:
            return not hidden(observation, self.files)
        return self._repairs(observation, lost_versions(observation, effects, self.files, self.readers))

    def _repairs(self, observation: Observation, lost: Sequence[int]) -> bool:
        if not brings_back_name_or_type(observation, self.history):
            return False
        return repairs(observation, self.files, self.readers, lost)
