-- Names of people, places and organisations as terms (search/entity-terms.ts). Documents get them when they are indexed.
alter table documents add column names text[] not null default '{}';
create index documents_names on documents using gin (names);
