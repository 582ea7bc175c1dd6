-- The search engine that has the documents, if it is not this database. `documents` then has no text and no terms, only
-- what indexers need to know of each document. Searches use the indices of generation `serving`; indexers write to
-- `generation`, which is another one while the index is rebuilt.
create table search_engine (
  is_only    boolean primary key default true check (is_only),
  store_id   uuid    not null default gen_random_uuid(),
  generation integer not null default 1,
  serving    integer not null default 1
);
-- The versions of documents there, so that a late write of an earlier one is refused.
create sequence document_writes;
-- Where the document is there.
alter table documents add column place text;
