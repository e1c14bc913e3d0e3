"""What an artist wants of a pose or a take: wishes about points, preferences about sliders, the rig's own rules."""
