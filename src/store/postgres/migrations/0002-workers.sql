-- Workers, present and past; what they report about themselves is JSON. `process` is the number by which leases name
-- them.
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
