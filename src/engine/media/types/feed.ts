import type { ContentType } from '../content-type.ts'
import { readFeed } from '../feed/feed-reader.ts'

export const FEED = {
  name: 'feed',
  mediaTypes: ['application/rss+xml', 'application/atom+xml'],
  signature: null,
  roots: { rss: 'application/rss+xml', feed: 'application/atom+xml', 'rdf:rdf': 'application/rss+xml' },
  isInZip: null,
  isValid: (body) => !isOtherRdf(body.toString('latin1', 0, 4096)),
  isPage: false,
  isHeavy: () => false,
  extract: readFeed,
} as const satisfies ContentType

/** RSS 1.0 is RDF, but most RDF is not RSS. */
function isOtherRdf(head: string): boolean {
  return /<rdf:rdf\b/i.test(head) && !head.includes('http://purl.org/rss/1.0/')
}
