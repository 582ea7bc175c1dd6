// Settings and mappings of the monthly indices.

import type { SearchLocation } from '../../config/values/search-url.ts'
import { FIELDS } from '../../ports/search.ts'

const NUMBER = { type: 'long' }
/** Fields for sorting or filtering, which do not count towards a score. */
const KEY = { type: 'keyword', ignore_above: 8000 }
const STORED_ONLY = { type: 'keyword', index: false, doc_values: false }
/** Terms are separated by spaces. */
const TERMS = { type: 'text', analyzer: 'whitespace' }

/** A deleted document keeps its version for this long, so that a late write of an earlier one is refused. */
const DELETES_KEPT = '1h'

export function makeTemplate(location: SearchLocation, storeId: string) {
  const { prefix, shards, replicas, refreshMs } = location
  return {
    index_patterns: [`${prefix}-*`],
    // If two prefixes match, the template of the longer one applies.
    priority: 500 + prefix.length,
    template: {
      settings: {
        index: {
          number_of_shards: shards,
          number_of_replicas: replicas,
          refresh_interval: `${refreshMs}ms`,
          gc_deletes: DELETES_KEPT,
        },
      },
      mappings: { dynamic: false, ...makeMappings(storeId) },
    },
  }
}

function makeMappings(storeId: string) {
  return {
    _meta: { store: storeId },
    _routing: { required: true },
    // Derived from the rest.
    _source: { excludes: ['terms', 'card'] },
    properties: {
      ...Object.fromEntries(
        ['page', 'version', 'http_status', 'depth', 'content_length', 'inlinks', 'quarters', 'length'].map((name) => [
          name,
          NUMBER,
        ]),
      ),
      ...Object.fromEntries(['visited_at', 'changed_at', 'expires_at'].map((name) => [name, NUMBER])),
      link_rank: { type: 'float' },
      ...Object.fromEntries(
        ['crawl', 'host', 'domains', 'path', 'title_key', 'lang', 'content_type', 'names', 'words', 'terms'].map(
          (name) => [name, KEY],
        ),
      ),
      // Longer titles are not suggested.
      title: { type: 'keyword', ignore_above: 300 },
      url: STORED_ONLY,
      fingerprint: STORED_ONLY,
      keywords: STORED_ONLY,
      text: { type: 'text', index: false },
      card: { type: 'binary', doc_values: true },
      fields: { properties: Object.fromEntries(FIELDS.map((field) => [field, TERMS])) },
    },
  }
}
