"""The door of the room: its functions are functions, in whatever order its modules are imported; and looking at it loads no Spark."""

import subprocess
import sys
from types import FunctionType

import pytest

from airflow_provider_schemas import spark
from tests.servers.process import TOP

FIRST = """
import importlib, pkgutil, sys
import airflow_provider_schemas.spark as door
for module in pkgutil.walk_packages(door.__path__, door.__name__ + "."):
    importlib.import_module(module.name)
loaded = [name for name in sys.modules if name.partition(".")[0] in ("airflow", "numpy", "pandas", "pyarrow", "pyspark")]
assert not loaded, loaded
print(*sorted({type(getattr(door, name)).__name__ for name in dir(door)}))
"""


@pytest.mark.parametrize("name", dir(spark))
def test_a_public_name_is_a_function_that_says_what_it_does(name: str) -> None:
    found = getattr(spark, name)
    assert isinstance(found, FunctionType)
    assert found.__doc__


def test_modules_do_not_take_the_place_of_functions_and_load_no_spark() -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", FIRST], cwd=TOP, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("function\n", "")


def test_what_is_not_there_is_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        spark.nothing  # type: ignore[attr-defined]  # noqa: B018  # the lookup is what is tested
