"""What an animator hears and sees beside the face: a sound, a picture or a video, and views of the camera."""
