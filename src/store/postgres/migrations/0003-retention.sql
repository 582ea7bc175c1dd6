-- Page versions expire at this time; null: never.
alter table pages add column expires_at bigint;
update pages set expires_at = visited_at + 1826 * 86400000::bigint;

-- Finds expired pages, segment by segment, and what is left in a segment. New rows come at its end.
create index pages_segment on pages (segment, expires_at);

-- Since when no page has the payload, as seen by whoever deleted the last one; pages_content shows whether any has it.
-- The pages are not counted: a payload that half the web sends would be one row that every commit waits for.
alter table contents add column unused_since bigint;
create index contents_unused on contents (unused_since) where unused_since is not null;

-- The page whose response contained the payload is deleted; its record stays for the payload.
alter table contents add column is_alone boolean not null default false;
create index contents_alone on contents (segment) where is_alone;

-- Bytes of records that are no longer referenced. Nothing refers to a forgotten segment; its file can be deleted.
alter table segments add column dead_bytes bigint not null default 0;
alter table segments add column is_forgotten boolean not null default false;

update crawls set settings = (settings::jsonb || '{"keepDays": 1826}')::text where not settings::jsonb ? 'keepDays';

-- Where a worker serves the records of its archive folder.
alter table workers add column address text;
