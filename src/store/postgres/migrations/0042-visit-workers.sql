-- Who made the visit: a crawl thread, or an external crawler. And how long it took to read the response.
alter table visits add column thread text;
alter table visits add column processing_ms integer;
-- The look of a page that was read without rendering and must be rendered if its pattern gains: 1 complete, 2 empty.
alter table visits add column plain_look smallint;
