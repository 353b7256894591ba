"""What hangs on tables in the registry: contracts, waivers, plans and bindings are one JSON object a file, policies are YAML.

In reading order:

    json_records.py         one record a file: how it is written, read, and what happens to one that cannot be read
    registry_id.py          the id of the registry, which versions name
    contract_record.py      a contract as it lies in its file, pinned to the fields that it means
    contracts.py            the contracts of a table, and when their jobs were last seen
    given_contracts.py      contracts that a caller brings along, in place of registered ones
    register_contract.py    register a contract, or take it away
    fulfilled_contracts.py  contracts that waited, and that a version has fulfilled since
    replaced_pins.py        contracts of a table that was dropped and made again: columns found again by name
    stale_contracts.py      contracts whose jobs have not been seen for long: they only warn
    policies.py             which policy a table has
    policy_strictness.py    in what one policy is weaker than another
    waivers.py              findings that are let through until a day
    waived_jobs.py          for which job a waiver counts, where jobs of two teams have one name
    plans.py                plans that wait for an approval
    bindings.py             with which version the files of a folder were written
    baselines.py            what tasks saw of tables when they were last green
    removals.py             why tables were dropped or renamed although jobs read them
"""
