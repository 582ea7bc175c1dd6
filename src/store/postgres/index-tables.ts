// The tables of the text index (search/postgres). They are derived from the pages, so a transfer leaves them out.

export const INDEX_TABLES = [
  'documents',
  'document_ranks',
  'ranked_crawls',
  'url_ranks',
  'anchors',
  'term_counts',
  'word_counts',
  'index_counts',
  'index_pace',
  'host_lines',
  'search_engine',
  'engine_writes',
] as const
