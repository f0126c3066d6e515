"""One module for each service that the mini-web plays."""
