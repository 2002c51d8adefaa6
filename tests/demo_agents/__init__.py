"""``make demo-agents``: what a person tells one agent, another one knows. Real configuration, real hooks, a real daemon."""
