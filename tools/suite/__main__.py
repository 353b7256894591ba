"""Run a suite: `python -m tools.suite quick` or `python -m tools.suite rest`."""

import argparse
import os
import shutil
import sys
import time
from collections.abc import Sequence

from tools.leftovers import guarded
from tools.suite import costs, outcome
from tools.suite.jobs import COSTS, Job, suites
from tools.suite.outcome import Counts
from tools.suite.progress import Progress
from tools.suite.running import Ended, run

_INTERRUPTED = 130


def main(arguments: Sequence[str]) -> int:
    """Run the jobs, print what failed, and end with one line of counts."""
    parser = argparse.ArgumentParser(prog="python -m tools.suite", description=__doc__)
    parser.add_argument("suite", choices=sorted(suites()))
    parser.add_argument("jobs", nargs="*", help="the names of some jobs; without them all run")
    parser.add_argument("--slots", type=int, default=max(2, min(os.cpu_count() or 2, 4)), help="how many jobs run at a time")
    options = parser.parse_args(arguments)
    jobs = {job.name: job for job in suites()[options.suite]}
    if unknown := [name for name in options.jobs if name not in jobs]:
        parser.error(f"no such job: {', '.join(unknown)}. The jobs are {', '.join(jobs)}.")
    if options.jobs:
        return carry_out([jobs[name] for name in options.jobs], options.slots)
    shutil.rmtree(COSTS / options.suite, ignore_errors=True)  # of jobs that were renamed, or cut off
    return carry_out(list(jobs.values()), options.slots) or _judge_total(options.suite)


def _judge_total(suite: str) -> int:
    sentence = costs.too_much(suite, (COSTS / suite).glob("*.json"))
    if sentence is None:
        return 0
    print(sentence, "0 passed, 1 failed", sep="\n")
    return 1


def carry_out(jobs: Sequence[Job], slots: int) -> int:
    """Run the jobs and print what came of each; return 1 where one failed."""
    began = time.monotonic()
    try:
        with guarded(), Progress() as progress:
            done = _run(jobs, slots, progress)
    except KeyboardInterrupt:
        print("Everything that the jobs started was ended.", file=sys.stderr)
        return _INTERRUPTED
    return _close(done, time.monotonic() - began)


def _run(jobs: Sequence[Job], slots: int, progress: Progress) -> list[Ended]:
    try:
        return run(jobs, slots, progress.look, lambda ended: _tell(progress, ended))
    except KeyboardInterrupt:
        progress.say("Interrupted: what the jobs started is being ended, which takes some seconds.")
        raise


def _tell(progress: Progress, ended: Ended) -> None:
    """Say what came of a job; of one that failed, show why."""
    output = _output(ended.job)
    if ended.code:
        progress.say(f"\n{outcome.failures(output).rstrip()}\n")
    progress.say(f"{_verdict(ended)}  {ended.job.name:16} {ended.seconds:4.0f} s  {_last_line(output)}")


def _verdict(ended: Ended) -> str:
    return "FAILED" if ended.code else "ok    "


def _last_line(output: str) -> str:
    lines = output.strip().splitlines()
    return lines[-1].strip("= ") if lines else ""


def _output(job: Job) -> str:
    return job.log.read_text("utf-8", "replace")


def _close(done: Sequence[Ended], seconds: float) -> int:
    """Print the sums, as the last line; a job that failed without a failed test counts as one."""
    found = {ended.job.name: outcome.counts(_output(ended.job)) for ended in done}
    total = Counts()
    for counted in found.values():
        total = total.plus(counted or Counts())
    failed = [ended.job for ended in done if ended.code]
    print(f"\n{len(done)} jobs in {seconds / 60:.1f} minutes; their output is in build/logs")
    for job in failed:
        print(f"failed: {job.name}, see {job.log}")
    unseen = sum(1 for job in failed if not (found[job.name] or Counts()).failed)
    print(f"{total.passed} passed, {total.failed + unseen} failed, {total.skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
