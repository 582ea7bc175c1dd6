-- Cookies of crawls. A removed one keeps its row for a while, with a time of expiry in the past.
create table cookies (
  crawl        integer not null,
  domain       text    not null,
  path         text    not null,
  name         text    not null,
  value        text    not null,
  is_host_only boolean not null,
  is_secure    boolean not null,
  expires_at   bigint,
  created_at   bigint  not null,
  version      bigint  not null,
  primary key (crawl, domain, path, name)
);
create unique index cookies_version on cookies (crawl, version);
