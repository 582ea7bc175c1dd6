-- The link rank of the URL in its crawl, 0 to 1 (search/indexer/link-ranks.ts). Null until an indexer has computed it.
alter table revisits add column link_rank double precision;
