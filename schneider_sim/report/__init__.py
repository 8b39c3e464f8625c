"""Reports: a study played, its tables, figures and one page to read."""
