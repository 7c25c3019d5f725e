"""What people look at: tables, and trees drawn as text."""
