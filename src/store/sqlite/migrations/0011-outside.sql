-- Documents that external crawlers upload before they report, and the secret that signs their tasks.
create table outside_documents (
  crawl    text    not null,
  url_id   integer not null,
  attempts integer not null,
  document text    not null,
  at       integer not null,
  primary key (crawl, url_id, attempts)
) without rowid;
create index outside_documents_at on outside_documents (at);

create table outside_secret (
  id     integer primary key check (id = 1),
  secret text    not null
);

-- They used to be stored with the known requests, under the names crawler-tasks and document-<crawl>-<url>-<attempts>.
insert into outside_secret select 1, answer from known_requests where key = 'crawler-tasks';
insert into outside_documents
  select substr(key, 10, 36), cast(substr(key, 47) as integer),
    cast(substr(substr(key, 47), instr(substr(key, 47), '-') + 1) as integer), answer, at
  from known_requests where key like 'document-%' and key not like '%:%';
delete from known_requests where key = 'crawler-tasks' or (key like 'document-%' and key not like '%:%');

-- An admin allows deliveries to a non-public address.
alter table webhooks add column allows_private integer not null default 0;
