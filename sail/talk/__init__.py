"""What all programs say and ask: questions, choosing a position, manuals, rules."""
