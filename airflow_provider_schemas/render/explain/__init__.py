"""What a rule or the code of an error means, for people who have only this library: no page of the documentation is needed.

words        the words of questions, variants, families and of what is looked at; the pages about rules have them, too
facts        examples and meanings, from `facts.json`, which `python -m tools.explanations` makes of the cases and the pages
names        what a typed name means: a rule, a code of one, a way to apply rules, the code of an error
explained    a rule or an error as plain values
lines        the same as lines of text
pages        the same as Markdown
"""
