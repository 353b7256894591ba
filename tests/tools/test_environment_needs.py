"""A machine that cannot hold an environment is told so before anything long begins: no Java, an old one, a full disk."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.tools.support.environments import TOP, executable
from tools.environments import disk
from tools.environments.errors import SetupError


def java(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    (folder / "bin").mkdir(exist_ok=True)
    for tool in ("sh", "sed", "head", "cat"):
        (folder / "bin" / tool).symlink_to(next(path for path in (Path("/bin") / tool, Path("/usr/bin") / tool) if path.exists()))
    environment = {"PATH": str(folder / "bin"), **variables}
    return subprocess.run([TOP / "tools/java.sh"], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("version", "ends"), [("17.0.9", 0), ("21", 0), ("25-ea", 0), ("11.0.20", 1), ("1.8.0_392", 1)])
def test_java_must_be_seventeen_or_newer(tmp_path: Path, version: str, ends: int) -> None:
    executable(tmp_path / "bin/java", f"#!/bin/sh\necho 'openjdk version \"{version}\" 2024' >&2\n")
    done = java(tmp_path)
    assert done.returncode == ends
    assert done.stderr.startswith("" if ends == 0 else f"Java 17 or newer was not found: java is {version.partition('_')[0]}")


def test_a_machine_without_java_says_what_to_install_and_who_named_it(tmp_path: Path) -> None:
    done = java(tmp_path, JAVA_HOME="/nowhere")
    assert done.returncode == 1
    assert "/nowhere/bin/java (by JAVA_HOME) is missing" in done.stderr
    assert "apt install openjdk-17-jre-headless" in done.stderr


def test_a_disk_that_is_too_full_is_one_sentence(tmp_path: Path) -> None:
    disk.check(tmp_path / "env", (1, 1), {})
    with pytest.raises(SetupError, match=r"GB free, and .*env with its downloads needs 1000000\.0 GB there"):
        disk.check(tmp_path / "env", (1, 1_000_000_000), {"UV_CACHE_DIR": str(tmp_path)})


def test_every_list_has_its_need_of_disk() -> None:
    names = {path.name for path in (TOP / "tests/environments").glob("*.txt")}
    assert {name for name in names if not name.endswith("constraints.txt")} == set(disk.NEEDS)


def test_what_is_there_already_needs_no_room() -> None:
    size, working = disk.need(["all.txt"], ["tests/environments/demo.txt"])
    size_of_all, working_of_all = disk.need(["all.txt"])
    assert 0 < size < size_of_all
    assert 0 < working < working_of_all


def test_files_with_two_names_count_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(os.urandom(3_000_000))
    os.link(tmp_path / "file", tmp_path / "other-name")
    assert disk.megabytes(tmp_path) == 3
