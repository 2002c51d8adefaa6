"""The page that ``view`` writes: what is in it (``collect``) and how it becomes one file (``page``)."""
