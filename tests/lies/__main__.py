"""Run the cases and write down what came out, then write the page.

python -m tests.lies          in an environment with pyspark and Java
python -m tests.lies page     the page alone, from what was written down
"""

import sys
import tempfile
from pathlib import Path

from tests.lies import record
from tests.lies.page import PAGE, page


def main(arguments: list[str]) -> None:
    """Run, unless only the page is wanted."""
    if arguments != ["page"]:
        with tempfile.TemporaryDirectory() as folder:
            found = record.gathered(Path(folder))
        record.write(found)
        print(f"{len(found.answers)} cases with Spark {found.spark}, in {record.FILE.name}.")
    PAGE.write_text(page(record.read()), "utf-8")
    print(f"The page is {PAGE.name}.")


if __name__ == "__main__":
    main(sys.argv[1:])
