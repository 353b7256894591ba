"""The commands, a module each; `cli.command_registry` lists them."""
