"""`check`: judge a step between schemas, table files against their tables, or a table against a job."""

from argparse import ArgumentParser, Namespace

from airflow_provider_schemas.cli import git_option, open_store, policy_option
from airflow_provider_schemas.cli.arguments import options
from airflow_provider_schemas.cli.judging import base, git_fallback, operand_groups
from airflow_provider_schemas.cli.judging.verdicts import Verdicts, answer
from airflow_provider_schemas.cli.output.result import Answer
from airflow_provider_schemas.errors import SchemaError


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments to a parser."""
    parser.add_argument(
        "objects",
        nargs="*",
        metavar="TABLE|FILE",
        help="OLD NEW; or table files or folders of them, each against its table or with --git against a commit; or a table and a job",
    )
    parser.add_argument("--for", type=options.text, dest="job", metavar="JOB", help="does the table fit what this job has registered?")
    parser.add_argument(
        "--since",
        type=options.seen,
        metavar="N[:DIGEST[:TABLEID]]",
        help="what breaks whoever saw version N; as a gate without a contract judges",
    )
    parser.add_argument(
        "--contract", type=options.text, metavar="FILE|COLUMNS", help="does it fit what this file of a job, or SQL text, needs?"
    )
    git_option.add(parser)
    base.add(parser, several=True)
    policy_option.add(parser)


def run(args: Namespace) -> Answer:
    """Answer with the reports; a table that breaks something ends with 1, and one that could not be judged with 2."""
    return answer(_of_all_projects(args), args)


def _of_all_projects(args: Namespace) -> Verdicts:
    judged = None if args.groups else _verdicts(args)
    if judged is not None and judged.git is None:
        return judged
    # Few lines have objects of several projects, or are compared with git.
    from airflow_provider_schemas.cli.project import by_project

    return by_project.verdicts(args, _verdicts) if judged is None else by_project.with_changed_files(judged, args)


def _verdicts(args: Namespace) -> Verdicts:
    _check_options(args)
    git_option.check(args)
    if git_option.is_wanted(args):
        return _against_git(args)
    if not (args.contract or args.objects or base.files_behind_new(args)):
        raise SchemaError("there is nothing to check.", code="cli.objects", fix="Name OLD and NEW, table files, or a table.")
    if not (args.contract or args.job or args.since is not None):
        return _against_git(args) if _falls_to_git(args) else operand_groups.verdicts(args)
    # Loading what reads contracts takes longer than judging two files.
    from airflow_provider_schemas.cli.judging import jobs

    if args.contract:
        return jobs.of_contract(args)
    if args.since is not None:
        return jobs.since_seen(args)
    return jobs.of_registered(args)


def _against_git(args: Namespace) -> Verdicts:
    # Loading what runs git takes as long as judging two files.
    from airflow_provider_schemas.cli.judging import pull_request

    return pull_request.verdicts(args)


def _falls_to_git(args: Namespace) -> bool:
    """Return whether nothing on the line says what its files are compared with, and git can."""
    return not (open_store.is_named(args) or args.alone or args.new) and git_fallback.stands_for(args)


def _check_options(args: Namespace) -> None:
    """Refuse options that exclude each other."""
    if args.job and args.contract:
        raise SchemaError("--for and --contract both name what is needed.", code="cli.contract", fix="Keep one of them.")
    if args.contract and args.since is not None:
        message = "--since is for a job without a contract, and --contract names one."
        raise SchemaError(message, code="cli.contract", fix="Keep one of them.")
    if (args.alone or args.new) and (args.job or args.contract or args.since is not None):
        message = "--alone and --new compare a table file with nothing, and --for, --contract and --since name what to compare with."
        raise SchemaError(message, code="cli.base", fix="Keep one of them.")
    base.check_options(args)
