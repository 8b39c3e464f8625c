"""Drawing: functions that take axes and tables, and know no study."""
