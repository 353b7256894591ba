"""The check of a change: what breaks, for whom, why, and what to do.

In reading order:

    check.py              the order of a check, from two schemas to a report: start here
    inputs.py             what a caller hands in besides: history, contracts, evidence, live versions
    judge.py              the order for one step under one policy: from each difference to its findings
    old_data.py           which files can still be read, over every schema that they may have been written with
    broken_contracts.py   which contracts break, and which difference explains each
    mended_contracts.py   which contracts fit only now, and which difference mends each
    aliased_renames.py    a rename whose old name stays as an alias: for whom the alias works
    read_fields.py        which fields registered contracts read
    proofs.py             which evidence proves that a change is safe
    findings.py           one finding: sentence, fix, changes, verdicts
    fixes.py              the fix of a finding, in words and as changes
    unrepresentable.py    types that a listed engine cannot hold
    returns.py            a change that gives a field back what it had before
    return_texts.py       what such a finding says
    repairs.py            whether such a change mends more than it breaks
    milder_findings.py    findings that weigh less, because the change gives something back or mends contracts
    id_audit.py           ids of a table as a whole, and other faults of the metadata of others
    version_chain.py      how stored versions follow each other, whatever their schemas say
"""
