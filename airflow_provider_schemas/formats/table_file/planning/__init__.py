"""From a table file to a plan.

What is here, in reading order:

    plan                 the plan, and what stops it
    target_schema        the schema that the file wants
    merge_fields         the fields of the file merged with those of the table
    column_order         the order of the merged columns
    rename_candidates    new fields that may be existing ones under another name
    returning_names      names that the table had before
    source_places        the places in the file that findings are about
"""
