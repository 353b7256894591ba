"""Pages of tables: a list, one table, two versions beside each other, its columns, its readers, what holds its versions."""
