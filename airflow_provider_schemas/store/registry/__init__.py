"""The registry: contracts, waivers, plans, policies and bindings of tables."""
