-- Languages that a page may be in if it does not say which, the most likely first; its lang is then the main language of
-- its host, if that is one of them. Null: the page says it.
alter table documents add column possible_langs text[];
create index documents_open_lang on documents (host) where possible_langs is not null;
-- How many documents of the host say that they are in a language, as JSON.
alter table host_lines add column languages text not null default '{}';

-- The languages of documents are not known by this rule, so all pages are indexed again.
truncate documents, term_counts, word_counts, index_counts, index_pace, host_lines;
insert into index_queue (page, host, url_hash) select id, host, url_hash from pages
  on conflict (page, host) do nothing;
