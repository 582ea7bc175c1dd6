-- Who may call the API. Only hashes of tokens are stored.
create table tokens (
  id           text   primary key,
  name         text   not null,
  scope        text   not null,
  hash         text   not null,
  created_at   bigint not null,
  last_used_at bigint
);

-- Webhooks, with the result of the last delivery; `events` is a list as JSON.
create table webhooks (
  id                text    primary key,
  url               text    not null,
  events            text    not null,
  secret            text    not null,
  created_at        bigint  not null,
  delivered_at      bigint,
  delivered_status  integer,
  delivered_problem text
);

-- Deliveries to make. A finished one has no due time and stays for a while, so that nobody queues it again.
create table deliveries (
  id       text    primary key,
  webhook  text    not null,
  event    text    not null,
  body     text    not null,
  attempts integer not null,
  due_at   bigint,
  over_at  bigint
);
create index deliveries_due on deliveries (due_at) where due_at is not null;
create index deliveries_over on deliveries (over_at) where over_at is not null;

-- Responses to requests that may be repeated.
create table known_requests (
  key         text   primary key,
  fingerprint text   not null,
  answer      text   not null,
  at          bigint not null
);
create index known_requests_at on known_requests (at);

-- Blocked hosts of a crawl.
create table blocked_hosts (
  crawl integer not null,
  host  integer not null,
  primary key (crawl, host)
);

-- Counts changes of settings and blocked hosts: a process that knows another number reads them again.
alter table crawls add column version integer not null default 0;

-- The URL of the record, once the page that it came from is deleted: the row of that URL may be deleted too.
alter table contents add column url text;
update contents c set url = u.url, crawl = 0, host = 0, url_id = 0
  from urls u where c.is_alone and u.crawl = c.crawl and u.id = c.url_id and u.host = c.host;
