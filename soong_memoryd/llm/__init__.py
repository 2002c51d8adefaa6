"""A model behind a profile: presets, client, the ladder of structured output, the embedded model."""
