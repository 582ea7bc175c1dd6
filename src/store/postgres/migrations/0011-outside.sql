-- Documents that external crawlers upload before they report, and the secret that signs their tasks.
create table outside_documents (
  crawl    text    not null,
  url_id   bigint  not null,
  attempts integer not null,
  document text    not null,
  at       bigint  not null,
  primary key (crawl, url_id, attempts)
);
create index outside_documents_at on outside_documents (at);

create table outside_secret (
  id     integer primary key check (id = 1),
  secret text    not null
);

-- They used to be stored with the known requests, under the names crawler-tasks and document-<crawl>-<url>-<attempts>.
insert into outside_secret select 1, answer from known_requests where key = 'crawler-tasks';
insert into outside_documents
  select substr(key, 10, 36), split_part(substr(key, 47), '-', 1)::bigint,
    split_part(substr(key, 47), '-', 2)::integer, answer, at
  from known_requests where key ~ '^document-.{36}-\d+-\d+$';
delete from known_requests where key = 'crawler-tasks' or key ~ '^document-.{36}-\d+-\d+$';

-- An admin allows deliveries to a non-public address.
alter table webhooks add column allows_private boolean not null default false;

-- API processes without the worker role, which serve archived records too, with their addresses.
create table keepers (
  id      text   primary key,
  name    text   not null,
  address text,
  seen_at bigint not null
);
