"""Who plays an experiment: threads of this process, or a Dask cluster. An engine is one `map` over deal ranges."""
