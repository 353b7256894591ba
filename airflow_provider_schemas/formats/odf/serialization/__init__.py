"""ODF manifests, events and schemas as YAML and JSON documents."""
