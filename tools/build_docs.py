"""Build the documentation into build/docs: `make docs`. Any broken link, missing image or example that does not run stops it."""

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from tools.docs import examples, links, site
from tools.docs.page import Page, Problem, read

ROOT = Path(__file__).parents[1]


def build(root: Path, out: Path) -> list[Problem]:
    """Build the site, or say everything that is wrong with its pages."""
    pages = {path: read(root, path) for path in _paths(root)}
    found = [*_titles(pages.values()), *links.problems(root, pages), *_examples(root, pages.values())]
    if not found:
        site.write(root, out, pages)
        print(f"{len(pages)} pages in {out}, {sum(len(page.blocks) for page in pages.values())} code blocks checked.")
    return sorted(found)


def _paths(root: Path) -> list[PurePosixPath]:
    """The pages: all of docs/, and what stands at the top of the repository."""
    return [PurePosixPath(path.relative_to(root).as_posix()) for path in sorted([*root.glob("*.md"), *root.glob("docs/**/*.md")])]


def _titles(pages: Iterable[Page]) -> Iterator[Problem]:
    return (Problem(page.path, 1, "a page has one title, a line that begins with `# `.") for page in pages if len(page.titles) != 1)


def _examples(root: Path, pages: Iterable[Page]) -> Iterator[Problem]:
    return (problem for page in pages if (problem := examples.first_problem(root, page)))


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="airflow-home-") as home:  # Airflow makes a folder wherever it is imported
        os.environ |= {"AIRFLOW_HOME": home, "AIRFLOW__CORE__LOAD_EXAMPLES": "False"}
        found = build(ROOT, ROOT / "build" / "docs")
    for problem in found:
        print(problem, file=sys.stderr)
    return min(len(found), 1)


if __name__ == "__main__":
    sys.exit(main())
