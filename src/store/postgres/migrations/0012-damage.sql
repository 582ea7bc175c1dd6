-- The record of the payload is damaged: the next response with the same payload is archived again.
alter table contents add column is_damaged boolean not null default false;
create index contents_damaged on contents (digest) where is_damaged;

-- As text: jsonb does not accept everything that JSON allows in a string.
update crawls set settings = regexp_replace(settings, '\}\s*$', ',"archiveRequests":"off"}')
  where position('"archiveRequests":' in settings) = 0;
