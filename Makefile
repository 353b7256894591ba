# One command per job; each makes the environment it needs. `make` alone lists them.
BIN := .venv/bin
ENVIRONMENTS := tests/environments

.PHONY: help demo story test test-all announce announce-all lint docs coverage mutants chaos truth fuzz bench checkers clean \
	demo-environment test-environment environment paimon writers validators airflow33 airflow32 java shells chromium
.NOTPARALLEL:

help:
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile

demo: java demo-environment  ## a DAG in a real Airflow makes a table, changes it, gates a Spark job, stops it, and comes back: two minutes
	@$(BIN)/python -m tools.demo

story: java demo-environment  ## the library without Airflow: a table file, a breaking edit, the report, the plan, a store
	@$(BIN)/python -m tools.story

test: announce java shells test-environment  ## the quick suite, with a real Airflow, a real Spark and a real S3 server: ten minutes
	@$(BIN)/python -m tools.suite quick

test-all: announce-all java chromium environment paimon writers validators airflow33 airflow32  ## everything that make test leaves out: three quarters of an hour
	@$(BIN)/python -m tools.suite rest

announce:
	@sed 's/^#.*//; /^$$/d' tools/suite/quick.txt

announce-all:
	@sed 's/^#.*//; /^$$/d' tools/suite/rest.txt

lint: environment  ## ruff, mypy and the import contracts
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

docs: java environment  ## build the documentation into build/docs and run its examples
	$(BIN)/python -m tools.build_docs

coverage: java test-environment  ## branch coverage of the quick suite, by folder
	@$(BIN)/python -m tools.coverage_by_folder

mutants: java test-environment  ## change the code of touched modules in small ways, and print the changes that no test notices
	@$(BIN)/python -m tools.mutants

chaos: java environment paimon  ## ten thousand commits by many processes, faults and kills, and pypaimon beside it
	CHAOS_COMMITS=$${CHAOS_COMMITS:-10000} $(BIN)/python -m pytest --suite=whole tests/chaos -s
	$(BIN)/python -m tests.chaos.pypaimon_race

truth: java paimon  ## random pairs of jobs and tables, judged by contracts and executed by Spark: a quarter of an hour
	@.venv-paimon/bin/python -m tests.truth

fuzz: java environment paimon  ## property tests on new examples: FUZZ_EXAMPLES=20000 make fuzz
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest --suite=whole -m law

bench: java environment  ## measure against other tools
	@tools/environment.sh .venv-peers $(ENVIRONMENTS)/peers.txt $(ENVIRONMENTS)/peers-constraints.txt
	@.venv-peers/bin/python -m tests.benchmarks
	@.venv-peers/bin/python -m tests.benchmarks.spark
	@$(BIN)/python -m tests.benchmarks.far_stores
	@$(BIN)/python -m tests.benchmarks.odf_documents
	@$(BIN)/python -m tests.benchmarks.odf_blocks
	@$(BIN)/python -m tests.benchmarks.iceberg_metadata
	@$(BIN)/python -m tests.benchmarks.iceberg_gate
	@$(BIN)/python -m tests.benchmarks.everyday

checkers:  ## ask other tools' checkers about the same changes
	@tools/environment.sh .venv-checkers $(ENVIRONMENTS)/checkers.txt $(ENVIRONMENTS)/checkers-constraints.txt
	@.venv-checkers/bin/python -m tests.peers

clean:  ## remove everything that these commands made
	rm -rf .venv .venv-paimon .venv-writers .venv-validators .venv-peers .venv-checkers .venv-airflow33 .venv-airflow32
	rm -rf build spark-warehouse .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache

# One .venv that grows: each list of requirements holds the one before it.
demo-environment:
	@tools/environment.sh .venv $(ENVIRONMENTS)/demo.txt constraints.txt

test-environment:
	@tools/environment.sh .venv $(ENVIRONMENTS)/test.txt constraints.txt

environment:  ## all libraries of the tests, without running any
	@tools/environment.sh .venv $(ENVIRONMENTS)/all.txt constraints.txt

paimon:  ## the environment of pypaimon and the newest Spark
	@tools/environment.sh .venv-paimon $(ENVIRONMENTS)/paimon.txt $(ENVIRONMENTS)/paimon-constraints.txt

writers:  ## the environment of DuckDB, which writes tables of Iceberg and DuckLake
	@tools/environment.sh .venv-writers $(ENVIRONMENTS)/writers.txt $(ENVIRONMENTS)/writers-constraints.txt

validators:  ## the environment of what reads our formats for CI systems: the schema of SARIF, a reader of JUnit's XML
	@tools/environment.sh .venv-validators $(ENVIRONMENTS)/validators.txt $(ENVIRONMENTS)/validators-constraints.txt bare

airflow33:
	@tools/environment.sh .venv-airflow33 $(ENVIRONMENTS)/airflow33.txt $(ENVIRONMENTS)/airflow33-constraints.txt bare

airflow32:
	@tools/environment.sh .venv-airflow32 $(ENVIRONMENTS)/airflow32.txt $(ENVIRONMENTS)/airflow32-constraints.txt bare

java:
	@tools/java.sh

shells:
	@tools/shells.sh

chromium:
	@tools/chromium.sh
