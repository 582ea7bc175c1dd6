-- Requests that rendered pages made, also to hosts that have no URLs in the crawl. Each thread has its own rows.
create table subrequests (
  crawl    integer not null,
  worker   text    not null,
  host     text    not null,
  requests bigint  not null,
  primary key (crawl, worker, host)
) with (fillfactor = 50);
