-- Who made the visit: a crawl thread, or an external crawler. And how long it took to read the response.
alter table visits add column thread text;
alter table visits add column processing_ms integer;
