-- The record that has the payload turned out damaged: the next answer with the same payload brings it anew.
alter table contents add column is_damaged boolean not null default false;
create index contents_damaged on contents (digest) where is_damaged;

-- As text: not everything that JSON allows in a string can be a jsonb.
update crawls set settings = regexp_replace(settings, '\}\s*$', ',"archiveRequests":"off"}')
  where position('"archiveRequests":' in settings) = 0;
