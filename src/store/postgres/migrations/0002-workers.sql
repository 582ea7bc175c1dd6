-- Processes that crawl or have crawled here; what they say of themselves is JSON. `process` is the number under which
-- the store knows them in leases.
create table workers (
  id         text    primary key,
  process    bigint  not null,
  name       text    not null,
  version    text    not null,
  state      text    not null,
  note       text,
  started_at bigint  not null,
  seen_at    bigint  not null,
  figures    text    not null
) with (fillfactor = 50);
