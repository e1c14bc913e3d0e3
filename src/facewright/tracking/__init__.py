"""Following a face without markers, in depth images, point clouds or scans."""
