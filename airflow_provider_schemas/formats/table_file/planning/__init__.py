"""The plan that a table file asks for: target schema, order, and rename candidates."""
