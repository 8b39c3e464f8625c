"""What the counts of Bauernschnapsen say: estimates, tables, sessions, traces, records."""
