"""What only Bohemian Schneider has on the page of a report."""
