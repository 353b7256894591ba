"""Connections that may be shown, and the stores behind them.

What is here, in reading order:

    kept_records       files of the registry that were read, by path and mark
    kept_values        values that are dear to compute
    several_at_once    a function for many values, in threads that keep no process from ending
    open_connection    a connection with its store, opened to read only, and the names of its tables
    open_connections   the connections that this process has opened
"""
