-- The terms of a document with their counts per field, from which scores are computed (search/rank/term-bag.ts).
-- Documents without one cannot be scored, so all pages are indexed again.
truncate documents, anchors, term_counts, word_counts, index_counts, index_pace, host_lines;
insert into index_queue (page, host, url_hash) select id, host, url_hash from pages
  on conflict (page, host) do nothing;
alter table documents add column bag bytea not null;
-- Small, and read for every match: kept beside the other columns.
alter table documents alter column bag set storage main;
-- Scores were computed by the database.
drop function occurrences_of_any(tsvector, tsquery, real[]);
