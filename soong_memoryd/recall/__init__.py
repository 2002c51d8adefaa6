"""Choose, pack, and remember what was already shown."""
