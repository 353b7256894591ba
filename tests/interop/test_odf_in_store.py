"""Schemas of ODF in tables that pypaimon evolves: kinds and attributes come back on the right fields."""

from airflow_provider_schemas.formats import odf
from airflow_provider_schemas.store import SchemaStore
from tests.interop.test_our_tables import wire
from tests.support.companion import Warehouse

CITIES = odf.load("""
fields:
- name: city
  type: String
  extra: {opendatafabric.org/description: as the census spells it, example.org/tag: [1, 2.0]}
- {name: population, type: {kind: Option, inner: UInt64}, extra: {}}
- name: place
  type:
    kind: Option
    inner:
      kind: Struct
      fields:
      - {name: lat, type: Float16, extra: {example.org/unit: degrees}}
      - {name: long, type: Float16}
- {name: seen, type: {kind: Duration, unit: Second}}
extra: {example.org/owner: census}
""").schema


def test_a_schema_of_odf_that_pypaimon_evolves_comes_back_with_kinds_and_attributes(store: SchemaStore, paimon: Warehouse) -> None:
    store.create_table("geo.cities", odf.to_table(CITIES).schema)
    for change in (
        "RENAME COLUMN city TO town",
        "RENAME COLUMN place.lat TO latitude",
        "ADD COLUMN code STRING",
        "DROP COLUMN seen",
        "ALTER COLUMN population FIRST",
    ):
        paimon.ask("alter", "geo.cities", changes=wire(change), branch="")
    found = odf.to_odf(store.table("geo.cities").schema()).schema
    assert found.names == ("population", "town", "place", "code")
    population, town, place, code = found.fields
    assert (population.type, population.extra) == (CITIES.fields[1].type, CITIES.fields[1].extra)
    assert (town.type, town.extra) == (CITIES.fields[0].type, CITIES.fields[0].extra)
    assert place.type == odf.type_of(
        {
            "kind": "Option",
            "inner": {
                "kind": "Struct",
                "fields": [
                    {"name": "latitude", "type": "Float16", "extra": {"example.org/unit": "degrees"}},
                    {"name": "long", "type": "Float16"},
                ],
            },
        }
    )
    assert code.type == odf.type_of({"kind": "Option", "inner": "String"})
    assert found.extra == CITIES.extra


def test_a_hint_about_a_type_that_pypaimon_has_changed_is_dropped_and_told(store: SchemaStore, paimon: Warehouse) -> None:
    store.create_table("geo.cities", odf.to_table(CITIES).schema)
    paimon.ask("alter", "geo.cities", changes=wire("ALTER COLUMN population TYPE STRING"), branch="")
    found = odf.to_odf(store.table("geo.cities").schema())
    assert found.schema.fields[1].type == odf.type_of({"kind": "Option", "inner": "String"})
    assert [one.path for one in found.losses if one.what == "hint"] == ["population"]
