-- URLs that only scripts of pages name; no page links to them (`--script-urls`).
create table script_urls (
  crawl  integer not null,
  host   integer not null,
  url_id bigint  not null,
  primary key (crawl, host, url_id)
);
