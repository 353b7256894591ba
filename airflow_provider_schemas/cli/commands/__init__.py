"""The commands, a module each; `cli.command_registry` lists them.

Commands that belong together have a folder:

    history/   how a table came to be as it is: log, blame
    jobs/      the jobs that use tables: who, contract, waive
"""
