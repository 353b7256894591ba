"""How a table came to be as it is: its versions, and the versions that made each column."""
