-- The first seed as it was given; null: root_url.
alter table crawls add column requested_url text;

-- The last report of each external indexer.
create table indexer_reports (
  crawl           text    not null,
  indexer         text    not null,
  status          text    not null,
  processed_pages bigint  not null,
  reported_at     bigint  not null,
  primary key (crawl, indexer)
);

-- Errors in the reports of external crawlers. Only the newest of a crawl are kept.
create table task_errors (
  crawl       text    not null,
  reported_at bigint  not null,
  url         text    not null,
  crawler     text    not null,
  errors      text    not null,
  primary key (crawl, reported_at, url)
);
