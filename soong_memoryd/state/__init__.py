"""SQLite behind one writer. Rows and transactions; no rules about what they mean."""
