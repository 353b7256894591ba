"""What users, hooks and jobs install: no Airflow, at most ten distributions, the versions that the project declares, and once."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.pull_requests.support.blocks import line_of
from tools import run_slim
from tools.environments import pip_settings, uv_settings

MOST = 10
NAME = "airflow-provider-schemas"
UV = Path(sys.executable).with_name("uv")


def run(line: str, path: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a line as somebody types it into bash."""
    given = {**os.environ, **variables, "PATH": path}
    return subprocess.run(["bash", "-c", line], cwd=folder, env=given, capture_output=True, text=True, check=False)


def uv_variables(folder: Path) -> dict[str, str]:
    """Return the settings of this machine's pip for uv, with a cache of its own."""
    settings = pip_settings.read(sys.executable)
    assert settings is not None
    return {**uv_settings.variables(settings, {}), "UV_TOOL_DIR": str(folder / "tools"), "UV_CACHE_DIR": str(folder / "cache")}


def copied(published: Path, folder: Path) -> Path:
    """Return a copy of what is shipped, with no libraries beside it."""
    copy = folder / "copy"
    shutil.copytree(published, copy, ignore=shutil.ignore_patterns("build", ".git"))
    return copy


def distributions(site: Path) -> set[str]:
    return {folder.name.partition("-")[0] for folder in site.glob("*.dist-info")}


def test_pip_installs_nine_distributions(machine: str, wheel: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "here"], check=True, capture_output=True)
    path = f"{tmp_path / 'here/bin'}:{machine}"
    done = run(line_of("pip install").replace(NAME, str(wheel)), path, tmp_path)
    assert done.returncode == 0, done.stderr
    (site,) = (tmp_path / "here").glob("lib/python*/site-packages")
    assert distributions(site) - {"pip", "setuptools"} == distributions(site) - {"pip", "setuptools", "apache_airflow"}
    assert len(distributions(site) - {"pip", "setuptools"}) == 9 <= MOST
    assert run("airflow-schemas --version", path, tmp_path).stdout.startswith("airflow-schemas ")


def test_uvx_runs_it_with_nine_distributions(wheel: Path, tmp_path: Path) -> None:
    line = line_of("uvx").replace(f"--from {NAME}", f"--from {shlex.quote(str(wheel))}").partition(" check ")[0]
    done = run(f"{line} --version", f"{UV.parent}:/usr/bin:/bin", tmp_path, **uv_variables(tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("airflow-schemas ")
    assert "Installed 9 packages" in done.stderr


class TestTheScriptOfHooksAndActions:
    """tools/run_slim.py, in a repository that others cloned."""

    def test_a_second_run_installs_nothing(self, published: Path, machine: str, tmp_path: Path) -> None:
        done = run(f"python3 -I {published}/tools/run_slim.py --version", machine, tmp_path, PIP_NO_INDEX="1", PIP_FIND_LINKS="")
        assert (done.returncode, done.stderr) == (0, "")

    def test_it_has_eight_distributions_beside_itself(self, published: Path) -> None:
        (site,) = (published / "build").glob("slim-*")
        assert len(distributions(site)) == 8
        assert not {name for name in distributions(site) if name.startswith("apache_airflow")}

    def test_nothing_of_the_current_folder_is_imported(self, published: Path, machine: str, tmp_path: Path) -> None:
        for name in ("yaml", "json", "msgspec", "airflow_provider_schemas", "sitecustomize", "runpy"):
            (tmp_path / f"{name}.py").write_text("raise SystemExit('imported from the current folder')\n")
        (tmp_path / "check.yaml").write_text("table: shop.orders\ncolumns:\n  - {name: a, type: INT}\n")
        given = {"PYTHONPATH": str(tmp_path), "PYTHONSTARTUP": "yaml.py"}
        done = run(f"python3 -I {published}/tools/run_slim.py check --new check.yaml", machine, tmp_path, **given)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr

    def test_the_settings_of_uv_in_the_current_folder_do_not_count(self, published: Path, machine: str, tmp_path: Path) -> None:
        copy = copied(published, tmp_path)
        checked = tmp_path / "checked"
        checked.mkdir()
        (checked / "uv.toml").write_text('index-url = "http://127.0.0.1:9/simple"\nno-cache = true\n')
        variables = {"UV_HTTP_RETRIES": "0"} | uv_variables(tmp_path)
        done = run(f"python3 -I {copy}/tools/run_slim.py --version", f"{UV.parent}:{machine}", checked, **variables)
        assert done.returncode == 0, done.stderr
        assert "127.0.0.1" not in done.stderr

    def test_a_failed_installation_says_so_leaves_nothing_and_is_tried_again(self, published: Path, machine: str, tmp_path: Path) -> None:
        copy = copied(published, tmp_path)
        none = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": ""}
        failed = run(f"python3 -I {copy}/tools/run_slim.py --version", machine, tmp_path, **none)
        assert failed.returncode == 2
        assert "could not be installed" in failed.stderr
        assert list((copy / "build").iterdir()) == []

    def test_an_unknown_extra_is_refused(self, published: Path, machine: str, tmp_path: Path) -> None:
        done = run(f"python3 -I {published}/tools/run_slim.py --extra=s4 --version", machine, tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert "there is no extra 's4'" in done.stderr

    def test_an_older_python_starts_a_newer_one(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        newer = tmp_path / "python3.12"
        newer.write_text("#!/bin/sh\n")
        newer.chmod(0o755)
        monkeypatch.setattr(sys, "version_info", (3, 9, 2))
        monkeypatch.setenv("PATH", str(tmp_path))
        assert run_slim._python() == str(newer)

    def test_without_a_newer_python_it_says_what_is_needed(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr(sys, "version_info", (3, 9, 2))
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(SystemExit, match="2"):
            run_slim._python()

    def test_its_exit_code_is_that_of_the_command(self, published: Path, machine: str, tmp_path: Path) -> None:
        done = run(f"python3 -I {published}/tools/run_slim.py check nothing.yaml", machine, tmp_path)
        assert done.returncode == 2
        assert "nothing.yaml" in done.stderr
