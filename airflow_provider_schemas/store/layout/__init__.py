"""Where a table lies: identifiers, and paths below the roots."""
