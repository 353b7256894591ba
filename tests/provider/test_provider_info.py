"""What Airflow is told about the provider: it keeps to Airflow's own schemas, names only what is there, and loads nothing."""

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import airflow
import pytest
from airflow.api_fastapi.core_api.services.ui.connections import HookMetaService
from airflow.providers_manager import ProvidersManager
from airflow.sdk import Asset, BaseHook, BaseNotifier, BaseOperatorLink, conf, task
from airflow.triggers.base import BaseTrigger
from jsonschema import Draft7Validator  # type: ignore[import-untyped]  # it comes without types

from airflow_provider_schemas import _provider_info
from airflow_provider_schemas.hooks import SchemaStoreHook
from airflow_provider_schemas.hooks.connection_settings import Settings

INFO: dict[str, Any] = _provider_info.get_provider_info()
NAME = "airflow-provider-schemas"
PACKAGE = Path(_provider_info.__file__).parent
AIRFLOW = Path(airflow.__file__).parent
CONNECTION = INFO["connection-types"][0]
CATALOGUE = ("operators", "sensors", "hooks", "triggers")
LOADS_NOTHING = """
import sys
from airflow_provider_schemas._provider_info import get_provider_info
get_provider_info()
print(*sorted(name for name in sys.modules if name.partition(".")[0] not in sys.stdlib_module_names))
"""


def listed(kind: str) -> list[str]:
    return [module for one in INFO[kind] for module in one["python-modules"]]


def paths() -> Iterator[str]:
    """Every class and function that Airflow imports by its path."""
    yield from INFO["extra-links"]
    yield from INFO["notifications"]
    yield from INFO["cli"]
    yield from (one["class-name"] for one in INFO["task-decorators"])
    yield from (one["hook-class-name"] for one in INFO["connection-types"])
    for one in INFO["asset-uris"]:
        yield from (one[key] for key in ("handler", "factory", "to_openlineage_converter"))


def found(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def schema(name: str) -> Any:
    return json.loads((AIRFLOW / name).read_text("utf-8"))


@pytest.fixture
def manager() -> ProvidersManager:
    return ProvidersManager()  # type: ignore[no-untyped-call]  # Airflow's own class


class TestTheData:
    def test_it_keeps_to_what_airflow_demands_while_it_is_imported(self) -> None:
        assert [error.message for error in Draft7Validator(schema("provider_info.schema.json")).iter_errors(INFO)] == []

    @pytest.mark.parametrize("key", ["connection-types", "asset-uris", "notifications", "extra-links", "cli"])
    def test_it_keeps_to_what_airflow_demands_of_its_own_providers(self, key: str) -> None:
        whole = schema("provider.yaml.schema.json")
        part = {**whole["properties"][key], "definitions": whole.get("definitions", {})}
        assert [error.message for error in Draft7Validator(part).iter_errors(INFO[key])] == []

    def test_keys_are_written_with_hyphens(self) -> None:
        """With underscores Airflow ignores them and says nothing. One key of Airflow's own has underscores."""
        keys = {key for one in [INFO, CONNECTION, CONNECTION["ui-field-behaviour"]] for key in one}
        assert [key for key in keys if "_" in key] == []

    def test_it_bears_the_name_of_the_distribution(self) -> None:
        assert INFO["package-name"] == NAME == distribution(NAME).name

    def test_it_is_the_only_metadata_of_the_distribution(self) -> None:
        points = [one for one in distribution(NAME).entry_points if one.group == "apache_airflow_provider"]
        assert [one.load()() for one in points] == [INFO]

    def test_reading_it_loads_nothing_but_the_package_itself(self, tmp_path: Path) -> None:
        done = subprocess.run([sys.executable, "-c", LOADS_NOTHING], cwd=tmp_path, capture_output=True, text=True, check=True)
        loaded = set(done.stdout.split())
        assert {name for name in loaded if name.startswith("airflow")} == {
            "airflow_provider_schemas",
            "airflow_provider_schemas._provider_info",
        }

    def test_no_link_leads_nowhere(self) -> None:
        assert not [one for one in INFO["integrations"] if "external-doc-url" in one]


class TestWhatIsNamed:
    @pytest.mark.parametrize("name", [name for kind in CATALOGUE for name in listed(kind)])
    def test_a_module_is_there(self, name: str) -> None:
        assert import_module(name).__doc__

    @pytest.mark.parametrize("path", list(paths()))
    def test_a_path_leads_to_what_it_names(self, path: str) -> None:
        assert callable(found(path))

    @pytest.mark.parametrize("kind", CATALOGUE)
    def test_the_modules_are_those_of_what_a_room_offers(self, kind: str) -> None:
        room = import_module(f"airflow_provider_schemas.{kind}")
        offered = [getattr(room, name) for name in room.__all__]
        assert set(listed(kind)) == {one.__module__ for one in offered if not (isinstance(one, type) and issubclass(one, Exception))}

    def test_the_kinds_are_what_they_are_listed_as(self) -> None:
        assert all(issubclass(found(path), BaseOperatorLink) for path in INFO["extra-links"])
        assert all(issubclass(found(path), BaseNotifier) for path in INFO["notifications"])
        for name in listed("triggers"):
            assert [one for one in vars(import_module(name)).values() if isinstance(one, type) and issubclass(one, BaseTrigger)]


class TestTheConnection:
    def test_the_hook_says_the_same(self) -> None:
        hook = found(CONNECTION["hook-class-name"])
        assert hook is SchemaStoreHook
        assert (hook.conn_type, hook.hook_name) == (CONNECTION["connection-type"], CONNECTION["hook-name"])
        assert issubclass(hook, BaseHook)

    def test_the_form_has_every_extra_that_a_connection_may_say(self) -> None:
        assert set(CONNECTION["conn-fields"]) == set(Settings.model_fields) - {"warehouse"}

    def test_the_form_offers_what_is_taken(self) -> None:
        for name, field in CONNECTION["conn-fields"].items():
            for value in field["schema"].get("enum", []):
                assert getattr(Settings(**{name: value}), name) == value
            assert getattr(Settings(), name) == field["schema"].get("default", getattr(Settings(), name))

    def test_the_ui_shows_it(self) -> None:
        shown = next(one for one in HookMetaService.hook_meta_data() if one.connection_type == "schema_store")
        assert shown.hook_name == "Schema store"
        assert shown.standard_fields is not None
        assert shown.standard_fields.url_schema is not None
        assert shown.standard_fields.url_schema.hidden
        assert shown.standard_fields.host is not None
        assert (shown.standard_fields.host.title, shown.standard_fields.host.hidden) == ("Warehouse URI", False)
        fields: Any = shown.extra_fields
        assert fields["layout"]["schema"]["enum"] == ["paimon", "mini-paimon", "registry"]
        assert fields["read_only"]["value"] is False
        assert set(fields) == set(CONNECTION["conn-fields"])
        assert all(field["description"] for field in fields.values())

    def test_the_list_of_types_needs_no_hook(self, manager: ProvidersManager) -> None:
        shown = [one for one in manager.iter_connection_type_hook_ui_metadata() if one.connection_type == "schema_store"]
        assert [(one.hook_name, one.hook_class_name) for one in shown] == [("Schema store", CONNECTION["hook-class-name"])]


class TestWhatAirflowMakesOfIt:
    def test_it_knows_the_provider(self, manager: ProvidersManager) -> None:
        about = manager.providers[NAME]
        assert (about.version, about.data["name"]) == (distribution(NAME).version, "Schemas")

    def test_it_takes_over_what_is_named(self, manager: ProvidersManager) -> None:
        assert {"extra-links", "notifications", "cli"} <= set(INFO)
        assert set(INFO["extra-links"]) <= set(manager.extra_links_class_names)
        assert set(INFO["notifications"]) <= {getattr(one, "notification_class_name", one) for one in manager.notification}
        assert [one for one in manager.trigger if one.package_name == NAME]
        assert found(INFO["cli"][0]) in manager.cli_command_functions

    def test_the_decorator_is_there(self) -> None:
        assert callable(task.schema_gate)

    def test_addresses_of_assets_are_looked_at(self) -> None:
        assert Asset(uri="schemas://Lake/shop/orders").uri == "schemas://lake/shop/orders"
        with pytest.raises(ValueError, match="names no table"):
            Asset(uri="schemas://lake/shop")


def test_airflow_knows_the_option_and_its_default() -> None:
    assert conf.getboolean("schemas", "register_contracts") is True
    assert conf.get("schemas", "contract_urls") == ""
