-- The rank that a URL has in searches: of the crawls that know it, that of the newest among those with nearly the most
-- pages of its host. Every document has one. Separate from the documents: a new rank must not rewrite their terms.
create table url_ranks (
  url_key   uuid   primary key,
  link_rank real   not null,
  inlinks   bigint not null
);
insert into url_ranks (url_key, link_rank, inlinks)
  select d.url_key, coalesce(r.link_rank, 0), coalesce(r.inlinks, 0)
  from documents d left join document_ranks r on r.crawl = d.crawl and r.url_id = d.url_id;
create index url_ranks_best on url_ranks (link_rank);

-- The ranks of URLs in each crawl. Indexers compute them again, because the stored ones lack the URL.
truncate document_ranks, ranked_crawls;
drop index document_ranks_best;
alter table document_ranks
  add column url_key    uuid    not null,
  -- Pages of its host that the crawl visited.
  add column host_pages bigint  not null,
  -- It is an index or a table of contents; its rank counts as 0 in searches.
  add column is_list    boolean not null;
create index document_ranks_url on document_ranks (url_key);
alter table ranked_crawls add column created_at bigint not null;
