"""The command line, `airflow-schemas`: one file a command. It knows the store; only `--conn` and `airflow schemas` load Airflow.

What is here:

    main execute command_registry commands/       from the line to the exit code; the table of commands, and a module for each
    judging/                                      verdicts of check and plan: what is compared with what, and their JSON
    arguments/ files/ output/                     what is typed; plain files; what is printed
    open_store operands policy_option             the store, the tables and the policy that a line names
"""
