"""The messages of the match protocol: read and written.

`messages` are the values, `read` and `write` their text; `elements` and `infix` cut a text into its parts, and
`observation` is a PLAY of GDL-II as it is kept.
"""
