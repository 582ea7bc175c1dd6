-- Samples of the progress of crawls, at most a few hundred per crawl.
create table crawl_samples (
  crawl            integer not null,
  at               integer not null,
  pages_per_second real    not null,
  bytes_per_second real    not null,
  in_flight        integer not null,
  -- JSON: URLs by state.
  states           text    not null,
  primary key (crawl, at)
) without rowid;
