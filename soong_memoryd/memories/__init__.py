"""What a memory is and may be, the files, and the only way to change them."""
