"""The strict builder of the documentation: pages, links, running examples, HTML."""
