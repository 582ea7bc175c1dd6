-- Workers, present and past; what they report about themselves is JSON.
create table workers (
  id         text    primary key,
  name       text    not null,
  version    text    not null,
  state      text    not null,
  note       text,
  started_at integer not null,
  seen_at    integer not null,
  figures    text    not null
) without rowid;
