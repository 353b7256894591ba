# One command per job; each makes the environment it needs. `make` alone lists them.
BIN := .venv/bin

.PHONY: help demo story test early lint bench checkers docs fuzz chaos clean environment paimon spark airflow33 airflow32 java

help:
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile

demo: java environment  ## a DAG in a real Airflow makes a table, changes it, gates a Spark job, and stops it
	@$(BIN)/python -m tools.demo

story: java environment  ## the library without Airflow: a table file, a breaking edit, the report, the plan, a store
	@$(BIN)/python -m tools.story

# What starts Sparks and Airflows and installs wheels waits for other processes half of its time, and runs beside all other tests.
BESIDE := tests/spark tests/lies tests/interop tests/installs tests/provider/test_examples.py tests/house/test_demo.py

test: java environment paimon spark airflow33 airflow32 early  ## everything that must hold: lint, documentation, tests
	@tools/beside.sh build/beside.log "$(BIN)/python -m pytest $(BESIDE)" $(BIN)/python -m pytest $(addprefix --ignore=,$(BESIDE))

# With the newest Spark, all tests of tests/spark but two that ask it already; beside them what looks at no clock.
NEWEST := .venv-spark/bin/python -m pytest tests/spark --ignore=tests/spark/test_door.py --ignore=tests/spark/test_store.py

early: java environment spark
	@tools/beside.sh build/newest-spark.log "$(NEWEST)" $(MAKE) --no-print-directory lint docs

lint: environment  ## ruff, mypy and the floors of the house
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

docs: environment  ## build the documentation into build/docs and run its examples
	$(BIN)/python -m tools.build_docs

chaos: environment paimon  ## ten thousand commits by many processes, faults and kills, and pypaimon beside it
	CHAOS_COMMITS=$${CHAOS_COMMITS:-10000} $(BIN)/python -m pytest tests/chaos -s
	$(BIN)/python -m tests.chaos.pypaimon_race

fuzz: environment  ## property tests on new examples: FUZZ_EXAMPLES=20000 make fuzz
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -m hypothesis

bench: java environment  ## measure against other tools
	@tools/environment.sh .venv-peers tests/environments/peers.txt tests/environments/peers-constraints.txt
	@.venv-peers/bin/python -m tests.benchmarks
	@.venv-peers/bin/python -m tests.benchmarks.spark
	@$(BIN)/python -m tests.benchmarks.odf_documents
	@$(BIN)/python -m tests.benchmarks.odf_blocks

checkers:  ## ask other tools' checkers about the same changes
	@tools/environment.sh .venv-checkers tests/environments/checkers.txt tests/environments/checkers-constraints.txt
	@.venv-checkers/bin/python -m tests.peers

clean:  ## remove everything that these commands made
	rm -rf .venv .venv-paimon .venv-spark .venv-peers .venv-checkers .venv-airflow33 .venv-airflow32 build .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache

environment:
	@tools/environment.sh .venv tests/environments/dev.txt constraints.txt
	@tools/azurite.sh .venv build/azurite

paimon:
	@tools/environment.sh .venv-paimon tests/environments/paimon.txt tests/environments/paimon-constraints.txt

spark: java
	@tools/environment.sh .venv-spark tests/environments/spark.txt tests/environments/spark-constraints.txt

airflow33:
	@tools/environment.sh .venv-airflow33 tests/environments/airflow33.txt tests/environments/airflow33-constraints.txt bare

airflow32:
	@tools/environment.sh .venv-airflow32 tests/environments/airflow32.txt tests/environments/airflow32-constraints.txt bare

java:
	@tools/java.sh
