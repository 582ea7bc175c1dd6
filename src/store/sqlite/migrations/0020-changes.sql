-- What changed on the URLs of crawls with --recrawl. A row is written in the commit of the visit that found the change.
create table changes (
  id            integer primary key autoincrement,
  crawl         integer not null,
  url_id        integer not null,
  url_hash      integer not null,
  kind          text    not null,
  at            integer not null,
  expires_at    integer,
  -- The new version, and the last one before that was a page.
  page          integer,
  previous_page integer,
  -- JSON: the facts that differ, before and after.
  facts         text    not null,
  -- The visit before found a change too; null if it was the first.
  is_repeated   integer,
  -- When it can be examined; null: done.
  due_at        integer,
  tries         integer not null default 0,
  -- Its place in the public order; null until it is published.
  cursor        integer,
  published_at  integer,
  words_added   integer,
  words_removed integer,
  summary       text
);
create index changes_due on changes (due_at, id) where due_at is not null;
create unique index changes_cursor on changes (cursor) where cursor is not null;
create index changes_crawl on changes (crawl, cursor);
create index changes_url on changes (url_hash, cursor);
create index changes_expiry on changes (expires_at) where expires_at is not null;

-- The last place in the public order of changes.
create table change_cursor (last integer not null);
insert into change_cursor (last) values (0);

-- JSON: what a crawl has learned about text of a host that always changes (src/changes/noise).
create table change_hosts (
  crawl integer not null,
  host  integer not null,
  noise text    not null,
  primary key (crawl, host)
) without rowid;

-- URLs discovered after this time are new pages; null until every URL known by then was visited.
alter table recrawls add column first_round_at integer;

-- Changes up to this place are queued for delivery.
alter table webhooks add column changes_cursor integer not null default 0;
