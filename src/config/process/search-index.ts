// Settings of a process that builds or queries the search index.

import { searchUrl } from '../address-kinds.ts'
import { optional, setting } from '../setting.ts'
import { onOff, text, wholeNumber } from '../setting-kinds.ts'

export const SEARCH_INDEX_SETTINGS = {
  maxIndexLag: setting(
    wholeNumber(0, 1e12, 'PAGES'),
    50_000,
    'Hold the crawl when more pages than this wait to be indexed, and continue when half of them are indexed; 0: never hold it.',
  ),
  indexEntities: setting(onOff(), false, 'Extract people, places and organisations from English pages; slow.'),
  search: optional(
    searchUrl(),
    'OpenSearch or Elasticsearch cluster for the search index of a store in Postgres; the same for all processes of a store. opensearchs:// uses TLS. Credentials are in the URL, or in OPENSEARCH_USERNAME and OPENSEARCH_PASSWORD. Parameters: shards and replicas of each monthly index, refresh (ms).',
  ),
  synonyms: optional(text('FILE'), 'Synonyms for search: one group per line, separated by commas.'),
} as const
