"""What only Bauernschnapsen has on the page of a report."""
