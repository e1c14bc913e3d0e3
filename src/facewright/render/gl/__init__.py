"""The GL renderer: the same pictures as the software renderer, faster, on a graphics card or a software GL library."""
