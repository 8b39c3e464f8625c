"""The commands: one line each. A command lives in the module named here, as the click command `command`."""

COMMANDS = {
    "simulate": ("simulate", "Play two policies against each other on many deals and estimate everything."),
    "sessions": ("sessions", "Play whole sessions (matches) as the rules say."),
    "replay": ("replay", "Show single deals card by card."),
    "judge": ("judge", "Check traces against the rules."),
    "report": ("report", "Run a study and write its tables, figures and page."),
    "compare": ("compare", "Decide which of two policies is better, with no more deals than needed."),
    "tournament": ("tournament", "Play every policy against every other and rank them."),
    "factorial": ("factorial", "Measure what each part of a policy contributes."),
    "tune": ("tune", "Climb from a policy to better ones."),
    "deals": ("deals", "Show the deals that are worth seeing."),
    "position": ("position", "Show what each legal card of a position is worth."),
    "exploit": ("exploit", "Show what an opponent who knows a policy wins from it at least."),
    "analyse": ("analyse", "Show what policies lose with their cards, and where."),
    "plan": ("plan", "Estimate how many deals a question needs."),
    "runs": ("runs", "List and manage stored runs."),
    "policies": ("policies", "List the named policies with their text."),
    "preferences": ("preferences", "List the words that a policy's text may use."),
    "rules": ("rules", "List the variants and switches of a game's rules."),
}
