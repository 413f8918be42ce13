"""What a match has been told and has answered, on disk, so that an agent started again goes on with it."""
