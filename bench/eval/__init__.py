"""How well the daemon remembers: sets of conversations, questions and messages, judged over the wire."""
