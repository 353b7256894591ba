"""The commands, a module each; `cli.catalogue` lists them."""
