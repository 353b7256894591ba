"""The entries of a table file, checked one by one."""
