-- Requests that rendered pages made, also to hosts that have no URLs in the crawl.
create table subrequests (
  crawl    integer not null,
  host     text    not null,
  requests integer not null,
  primary key (crawl, host)
) without rowid;
