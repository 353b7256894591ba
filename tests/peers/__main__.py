"""Ask the peers' checkers and write down what they say, then write the page: `make checkers`.

`python -m tests.peers page` writes the page alone, from what was written down: that needs no peer.
"""

import os
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from platform import python_version

from tests.peers import answers, avro_peer, contract_peer, iceberg_peer
from tests.peers.answers import JUDGES, PEERS, Answer, Judge, Record
from tests.peers.catalogue import CHANGES
from tests.peers.change import Change
from tests.peers.page import PAGE, page

ASK: tuple[Callable[[Change], Mapping[Judge, Answer]], ...] = (avro_peer.ask, iceberg_peer.ask, contract_peer.ask)


def gathered() -> Record:
    """Every answer to every change, with the versions that gave them."""
    # pyiceberg draws its tables as wide as the terminal, and we want whole lines.
    os.environ["COLUMNS"] = "400"
    found = {change.key: {judge.name: answer for ask in ASK for judge, answer in ask(change).items()} for change in CHANGES}
    versions = {name: version(name) for name in PEERS.values()} | {"Python": python_version()}
    return Record(datetime.now(UTC).date().isoformat(), versions, found)


def main(arguments: list[str]) -> None:
    if arguments != ["page"]:
        record = gathered()
        answers.write(record)
        print(f"{len(CHANGES)} changes, {len(JUDGES)} answers each, in {answers.FILE.name}.")
    PAGE.write_text(page(answers.read()), "utf-8")
    print(f"The page is {PAGE.name}.")


if __name__ == "__main__":
    main(sys.argv[1:])
