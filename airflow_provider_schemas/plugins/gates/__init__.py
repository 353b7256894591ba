"""Pages of gates: all of them, those of a DAG, and the verdict on one task.

What is here:

    pages        the records of the pages
    task_page    the verdict on one task
"""
