"""What agents said, and when to look: ledger, roles, triggers, schedule, scheduler."""
