"""Policies against each other, honestly: comparisons, tournaments, factorial studies, and plans for them.

compare.py decides between two, tournament.py ranks many, factorial.py takes policies apart, curve.py varies one option,
plan.py says what a question costs. The others serve them; question.py, ranking.py and race.py are the decisions, pure.
"""
