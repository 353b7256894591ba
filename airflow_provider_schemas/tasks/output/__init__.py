"""What a task shows: reports, links, metrics, lineage and XCom."""
