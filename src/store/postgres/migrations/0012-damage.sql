-- The record that has the payload turned out damaged: the next answer with the same payload brings it anew.
alter table contents add column is_damaged boolean not null default false;
create index contents_damaged on contents (digest) where is_damaged;

update crawls set settings = (settings::jsonb || '{"archiveRequests": "off"}')::text
  where not settings::jsonb ? 'archiveRequests';
