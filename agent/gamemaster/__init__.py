"""The local game manager: players meet over real HTTP, and match records are written."""
