"""What is counted in constituent trees."""
