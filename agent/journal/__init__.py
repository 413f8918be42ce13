"""What a match has been told and has answered, on disk, so that an agent started again goes on with it.

`folder` has one `journal` a match, of `lines`, which are `entries`; `replayed_match` is what one tells, `boot` a clock
that nobody sets.
"""
