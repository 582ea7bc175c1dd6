-- Writes of documents to new places in the search engine, recorded before they begin. The transaction of the batch
-- deletes its row; a row that outlives it names documents to delete there, with this version.
create table engine_writes (
  undo_version bigint primary key,
  url_keys     uuid[] not null,
  places       text[] not null
);
