"""The daemon as a service: the files that a supervisor reads, and the supervisors that there are."""
