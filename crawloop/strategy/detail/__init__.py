"""Pages with one record: each field is induced by itself.

induce    from pages with truth to a plan
choose    which readers make up a field
untaught  fields that no sample teaches; `renamed`, `headings` and `summed` are others that need no sample of their own
"""
