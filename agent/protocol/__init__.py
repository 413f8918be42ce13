"""Messages of the match protocol: parsing and formatting.

`messages` has the message types, `read` parses and `write` formats them; `elements` and `infix` split a text into its
elements, and `observation` is the stored form of a GDL-II PLAY.
"""
