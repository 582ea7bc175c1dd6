-- How a host has responded (HostHealth in ports/frontier.ts). That it stopped responding is not stored: it may have recovered.
alter table hosts add column strikes integer not null default 0;

-- The robots.txt of an origin, and when to request it again.
create table robots (
  origin     text    not null primary key,
  asked_at   integer not null,
  expires_at integer not null,
  status     integer,
  problem    text,
  body       blob,
  good_at    integer
) without rowid;

-- 0 page, 1 sitemap. Visited sitemaps are counted separately, because they are not pages.
alter table urls add column kind integer not null default 0;
alter table crawls add column sitemaps integer not null default 0;
alter table crawls add column sitemaps_found integer not null default 0;

-- What sitemaps state about a URL.
create table listings (
  url_id     integer primary key,
  lastmod    integer,
  changefreq text,
  priority   real
);

alter table visits add column canonical text;
alter table visits add column noindex integer not null default 0;
alter table visits add column cname text;

-- URL patterns that may be traps, with their states (ports/patterns.ts).
create table patterns (
  crawl     integer not null,
  pattern   text    not null,
  state     text    not null,
  visits    integer not null,
  fruitless integer not null,
  primary key (crawl, pattern)
) without rowid;

-- A few examples of links that were not admitted, by reason.
create table rejection_samples (
  crawl  integer not null,
  reason text    not null,
  sample text    not null,
  url_id integer not null,
  primary key (crawl, reason, sample)
) without rowid;

-- Existing crawls get the new settings with the values that were in effect.
update crawls set settings = json_set(settings,
  '$.metaRobots', json('false'), '$.relNofollow', json('false'), '$.sitemaps', json('false'),
  '$.sitemapOnly', json('false'), '$.keepSessionIds', json('true'), '$.maxPathSegments', 1024, '$.maxQueryParams', 1024,
  '$.traps', json('false'), '$.filterLists', json('[]'), '$.allow', json('[]'), '$.insecure', json('false'),
  '$.perIp', 1000, '$.maxRate', null, '$.cooldownMs', 0, '$.hostPatienceMs', 0);
