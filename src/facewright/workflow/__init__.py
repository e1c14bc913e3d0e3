"""What the command line and the studio both do, as functions without a screen."""
