"""The command line, `airflow-schemas`: one file a command. It knows the store; only `--conn` and `airflow schemas` load Airflow.

What is here, in reading order:

    main                  from the line to the exit code
    execute               run a command, write its answer or its refusal
    check_files           verdicts for CI systems, and the files of --output
    usage_error           a line that cannot be read, for CI systems
    command_registry      the commands by name
    commands/             a module for each command
    help/                 help, examples, the options of all commands, completion
    judging/              verdicts of check and plan: what is compared with what, and their JSON
    operands              a table of the store or a plain file, read
    table_patterns        the tables that a line names, by patterns as well
    open_store            the store that a line names
    mounts                the databases that a line mounts
    project/              the project file, `schemas.toml`
    used_projects         which project files a line used
    policy_option         the policy that a line names
    git_option            the base of a check against git, and what has to be compared
    registered_jobs       the jobs that a check asks
    mounted_log           the log of a table that others keep
    arguments/            what people type
    files/                plain files
    output/               what is printed
    fix_hints             advice of the library, in the words of the command line
    comments/             the comment on a pull request, which the GitHub action and the GitLab template write
    airflow_connection    the store of an Airflow connection
    airflow_plugin        the same commands under `airflow schemas`
"""
