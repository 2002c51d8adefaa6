"""One extraction job, from window to completed event."""
