"""The options of a check against git: the base, and what has to be compared for the answer to count."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.arguments import options
from airflow_provider_schemas.errors import SchemaError

GIT = "git"
STORE = "store"
_REQUIRED = (GIT, STORE)


def add(parser: ArgumentParser) -> None:
    """Add the options to a parser."""
    parser.add_argument(
        "--git",
        nargs="?",
        const=True,
        type=options.text,
        metavar="BASE",
        help="compare the files with the merge base of BASE, or of BASE..HEAD; without BASE it is found out. Write it last, or --git=BASE",
    )
    parser.add_argument("--git-exact", action="store_true", help="compare with the commit BASE itself, and not with the merge base")
    parser.add_argument(
        "--require",
        action="append",
        default=[],
        type=_required,
        metavar="git|store",
        help="end with 2 unless the files were compared with git, or with a store that answers; repeatable",
    )


def _required(text: str) -> list[str]:
    """Return what has to be compared with, of a text with commas."""
    names = options.names(text)
    if not names or not set(names) <= set(_REQUIRED):
        raise ArgumentTypeError(f"write {' or '.join(_REQUIRED)}, or both with a comma")
    return names


def is_wanted(args: Namespace) -> bool:
    """Return whether the line asks for a comparison with git."""
    return args.git is not None or args.git_exact or _is_required(args, GIT)


def _is_required(args: Namespace, name: str) -> bool:
    return name in args.require


def check(args: Namespace) -> None:
    """Refuse options that exclude each other, and a line that requires a store and names none, or one that does not answer."""
    if is_wanted(args):
        _check_others(args)
    check_store(args)


def check_store(args: Namespace) -> None:
    """Refuse a line that requires a store and names none, or one that does not answer."""
    if _is_required(args, STORE):
        _check_store(args)


def _check_others(args: Namespace) -> None:
    """Refuse what names another thing to compare with, and a line without files."""
    others = {"--alone": args.alone, "--new": args.new, "--for": args.job, "--contract": args.contract, "--since": args.since is not None}
    given = [option for option, value in others.items() if value]
    if given:
        message = f"{given[0]} and a comparison with git exclude each other: git says what is new, and what the files were."
        raise SchemaError(message, code="cli.git-options", path="--git", fix=f"Leave {', '.join(given)} out, or --git and --require git.")
    if not args.objects and not isinstance(args.git, str):
        raise SchemaError(
            "there is nothing to check.", code="cli.objects", path="--git", fix="Name the folder of table files: check FOLDER --git."
        )


def _check_store(args: Namespace) -> None:
    """Refuse a line without a store, and ask the store for its databases: one that does not answer is an error here."""
    if not open_store.is_named(args):
        fix = "Pass --store URL or --conn ID; in CI, a secret may not be set, as for a pull request from a fork."
        raise SchemaError("a store is required, and none is named.", code="cli.no-store", path="--require store", fix=fix)
    open_store.store(args).databases()
