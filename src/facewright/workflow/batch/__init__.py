"""Many pieces of work from files to files, here or on a cluster, which can be stopped and gone on with."""
