"""The gate: what a task needs, what its tables offer, and what becomes of the task. Gates, guards, decorators and sensors all come here.

`decide` in decide.py shows the order, a step a line; `enforce` in enforce.py then ends the task or lets it go on. In their words:

    judgement            what the store says of the tables: whether each fits
    outcome              what becomes of the task: 'fits', 'warn', 'skip' or 'fail', as its arguments say
    verdict              both, with what the log says; in XCom it lies as plain values

In reading order:

    arguments            what an author writes, unread; operators and guards carry it
    request              the arguments as values: every fault of them at once
    requirements         what `reads` and `writes` need of each table
    decide               the order of a gate
    prefetch             what the gate will read, so that the storage is asked for all of it together
    baseline             what the task saw when it was last green: the rule, for tables without a contract
    earlier_runs         which runs of the task come before this one
    earlier_verdicts     what these runs say of a table
    task_history         what Airflow keeps of the runs: states, and the verdict in XCom
    kept_baselines       what the registry keeps of them
    judge                the tables checked, and findings that only a gate has
    register_contract    contracts that fit are registered, as `dag.task`
    contract_names       the name, where `dag.task` may be that of another task
    explain              notes, commands, and how each table was judged, in words
    bypass               tasks behind the gate that run although it has stopped
    never_asked          tasks on which a guard is never asked
    verdict              the result: in XCom, in one sentence, and as the end of a log
    enforce              the end of the task
"""
