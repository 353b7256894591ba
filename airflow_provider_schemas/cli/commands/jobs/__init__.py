"""Jobs that use tables: who uses a column, what jobs have registered, and what is let through for them."""
