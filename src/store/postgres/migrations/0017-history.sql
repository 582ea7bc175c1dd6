-- Samples of the progress of crawls, at most a few hundred per crawl.
create table crawl_samples (
  crawl            integer          not null,
  at               bigint           not null,
  pages_per_second double precision not null,
  bytes_per_second double precision not null,
  in_flight        integer          not null,
  -- JSON: URLs by state.
  states           text             not null,
  primary key (crawl, at)
);
