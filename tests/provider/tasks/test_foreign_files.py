"""A file that an argument names and that is something else: nothing of it is told but keys that look like names."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.tasks.change.target import read_table_file, read_target
from airflow_provider_schemas.tasks.gate.requirements import read_needs
from airflow_provider_schemas.tasks.policy_argument import read_policy

SECRET = "wJalrXUt/nFEMI+K7"
FILES: dict[str, str | bytes] = {
    "the environment": f"AWS_SECRET_ACCESS_KEY={SECRET}\nB=2\n",
    "passwords": f"root:{SECRET}:0:0:root:/root:/bin/bash\n",
    "credentials": f"[default]\naws_secret_access_key = {SECRET}\n",
    "one word": f"{SECRET}\n",
    "an option of a secret": f"aws_secret_access_key: {SECRET}\n",
    "a secret as a key": f"{SECRET}: 1\n",
    "a long key": f"{'k' * 65}: 1\n",
    "a list": f"- {SECRET}=\n- x\n",
    "a list of lists": f"- [{SECRET}]\n",
    "a tag": f"token {SECRET}: !{SECRET} 1\n",
    "an anchor": f"token: &{SECRET} 1\n",
    "an alias": f"token: *{SECRET}\n",
    "a broken line": f"a: [{SECRET}\n",
    "an odd escape": f'a: "{SECRET}\\q"\n',
    "an answer of a service": json.dumps({"accounts": {SECRET: 3}, SECRET: [SECRET], "name": SECRET}),
    "an answer about a person": json.dumps({"name": SECRET, "owner": SECRET, "id": SECRET}),
    "half of a line": f'{{"{SECRET}": ',
    "bytes": b"\xff\xfe" + SECRET.encode(),
}
DOORS: dict[str, Callable[[str, Path], Any]] = {
    "a file of a job": lambda name, folder: read_needs(name, "reads", folder=folder),
    "a contract": lambda name, folder: read_needs({"shop.orders": name}, "reads", folder=folder),
    "what is written": lambda name, folder: read_needs({"shop.orders": name}, "writes", folder=folder),
    "a policy": read_policy,
    "a table file": read_table_file,
    "a target": read_target,
}


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("suffix", [".yaml", ".json", ""])
@pytest.mark.parametrize("door", DOORS)
def test_a_file_of_something_else_is_refused_and_not_told(door: str, suffix: str, file: str, tmp_path: Path) -> None:
    text = FILES[file]
    path = tmp_path / f"x{suffix}"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(SchemaError) as caught:
        DOORS[door](path.as_uri(), tmp_path)
    links: list[BaseException] = [caught.value]
    for link in links:
        links += [one for one in (link.__cause__, link.__context__) if one is not None]
    shown = "".join(f"{link} {link!r} {getattr(link, 'faults', '')}" for link in links)
    assert [word for word in (SECRET, SECRET[:8], "k" * 65) if word in shown] == []


def test_keys_that_look_like_names_say_what_the_file_is(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(json.dumps({"accounts": 1, SECRET: 2, "k" * 64: 3}))
    with pytest.raises(SchemaError) as caught:
        read_needs({"shop.orders": "x.json"}, "reads", folder=tmp_path)
    assert f"this is no contract: it has the keys 'accounts', '{'k' * 64}'." in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["columns: [a, b]", "[a, b]", "- a\n- b", "a INT, b STRING", "- {name: a}\n- {name: b}", "job: j\nreads: {shop.orders: [a, b]}"],
)
def test_every_form_of_a_contract_is_read_as_before(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(text)
    need = read_needs({"shop.orders": "x.yaml"}, "reads", folder=tmp_path)["shop.orders"]
    assert isinstance(need, Contract)
    assert [one.name for one in need.columns] == ["a", "b"]


@pytest.mark.parametrize(("text", "word"), [("columns: [a]\nshap: open", "shap"), ("columns: {a: BIGHINT}", "BIGHINT")])
def test_a_mistake_in_a_contract_is_told_as_it_stands(text: str, word: str, tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(text)
    with pytest.raises(SchemaError) as caught:
        read_needs({"shop.orders": "x.yaml"}, "reads", folder=tmp_path)
    assert word in str(caught.value)
