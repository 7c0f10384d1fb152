"""What results show: crosstables, plots, tests."""
