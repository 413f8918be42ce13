"""The local game manager: plays agents against each other over real HTTP."""
