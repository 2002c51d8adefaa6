"""Text as data: folding, typed prose, explicit wishes, token estimate, secret finder. Pure: no I/O, no clock."""
