-- Versions of pages have a time after which they go, null: never.
alter table pages add column expires_at bigint;
update pages set expires_at = visited_at + 1826 * 86400000::bigint;

-- Finds what has expired, segment by segment, and what a segment still holds. New rows come at its end.
create index pages_segment on pages (segment, expires_at);

-- Since when no page has the payload, as seen by whoever dropped the last one; whether any has is told by pages_content.
-- There is no count of them: a payload that half the web sends would be one row that every commit waits for.
alter table contents add column unused_since bigint;
create index contents_unused on contents (unused_since) where unused_since is not null;

-- The page that brought the payload is gone; its record stays for the payload.
alter table contents add column is_alone boolean not null default false;
create index contents_alone on contents (segment) where is_alone;

-- Bytes of records that were pointed at and are no more. A forgotten segment holds nothing; its file is to be deleted.
alter table segments add column dead_bytes bigint not null default 0;
alter table segments add column is_forgotten boolean not null default false;

update crawls set settings = (settings::jsonb || '{"keepDays": 1826}')::text where not settings::jsonb ? 'keepDays';

-- Where a worker can be asked for what its folder keeps.
alter table workers add column address text;
