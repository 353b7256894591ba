"""Pages of gates: all of them, those of a DAG, and the verdict on one task.

What is here, in reading order:

    gate_row     the last verdict of a gate, as lists show it
    gate_list    all gates, the broken ones first
    task_page    the verdict on one task
    dag_page     the tables that a DAG reads and writes
    pages        the records of the pages
"""
