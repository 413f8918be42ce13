"""The aiohttp endpoint that game managers talk to."""
