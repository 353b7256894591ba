"""Tasks that change a table: create, evolve, validate, restore and approve."""
