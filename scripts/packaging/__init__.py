"""What `scripts/package` makes: one module for each kind of package."""
