"""What is counted in function trees."""
