-- Monitors (ports/monitors.ts). Lists and rules are JSON.
create table monitors (
  id         text    primary key,
  name       text    not null,
  rule       text    not null,
  crawls     text    not null,
  include    text    not null,
  exclude    text    not null,
  is_muted   integer not null,
  created_at integer not null
) without rowid;

create table monitor_documents (
  id       text    primary key,
  monitor  text    not null,
  title    text    not null,
  url      text,
  words    integer not null,
  added_at integer not null,
  text     text    not null
);
create index monitor_documents_monitor on monitor_documents (monitor, added_at, id);

create table monitor_mutes (
  monitor text not null,
  url     text not null,
  primary key (monitor, url)
) without rowid;

-- What a monitor has seen on a URL at last.
create table monitor_states (
  monitor text    not null,
  url     text    not null,
  crawl   integer not null,
  page    integer not null,
  -- Of the version that was examined. Version numbers start again once all versions of a URL have expired.
  visited_at integer not null,
  state   text    not null,
  primary key (monitor, url)
) without rowid;
create index monitor_states_crawl on monitor_states (crawl);

create table monitor_hits (
  id              integer primary key autoincrement,
  monitor         text    not null,
  crawl           integer not null,
  page            integer not null,
  url             text    not null,
  version         integer not null,
  title           text,
  visited_at      integer not null,
  at              integer not null,
  evidence        text    not null,
  is_muted        integer not null,
  is_announced    integer not null,
  acknowledged_at integer
);
create unique index monitor_hits_page on monitor_hits (monitor, page);
create index monitor_hits_crawl on monitor_hits (crawl);
create index monitor_hits_open on monitor_hits (monitor, id) where acknowledged_at is null;
create index monitor_hits_unannounced on monitor_hits (id) where is_announced = 0;

create table monitor_revision (revision integer not null);
insert into monitor_revision values (0);
