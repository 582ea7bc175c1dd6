-- Cookies of crawls. A removed one keeps its row for a while, with a time of expiry in the past.
create table cookies (
  crawl        integer not null,
  domain       text    not null,
  path         text    not null,
  name         text    not null,
  value        text    not null,
  is_host_only integer not null,
  is_secure    integer not null,
  expires_at   integer,
  created_at   integer not null,
  version      integer not null,
  primary key (crawl, domain, path, name)
) without rowid;
create unique index cookies_version on cookies (crawl, version);
