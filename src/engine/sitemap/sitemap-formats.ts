import type { SitemapKind } from './sitemap-entry.ts'

/** The meaning of a record's child element; `href` is an Atom link, which has no text. */
export type SitemapField = 'loc' | 'link' | 'href' | 'guid' | 'lastmod' | 'published' | 'changefreq' | 'priority'

/** Names are local and in lower case: namespaces are too often missing or wrong to rely on. */
export interface SitemapFormat {
  kind: SitemapKind
  recordElement: string
  fields: ReadonlyMap<string, SitemapField>
}

const URLSET: SitemapFormat = {
  kind: 'urlset',
  recordElement: 'url',
  fields: new Map<string, SitemapField>([
    ['loc', 'loc'],
    ['lastmod', 'lastmod'],
    ['changefreq', 'changefreq'],
    ['priority', 'priority'],
  ]),
}

const INDEX: SitemapFormat = {
  kind: 'index',
  recordElement: 'sitemap',
  fields: new Map<string, SitemapField>([
    ['loc', 'loc'],
    ['lastmod', 'lastmod'],
  ]),
}

const RSS: SitemapFormat = {
  kind: 'feed',
  recordElement: 'item',
  fields: new Map<string, SitemapField>([
    ['link', 'link'],
    ['guid', 'guid'],
    ['pubdate', 'lastmod'],
  ]),
}

const ATOM: SitemapFormat = {
  kind: 'feed',
  recordElement: 'entry',
  fields: new Map<string, SitemapField>([
    ['link', 'href'],
    ['updated', 'lastmod'],
    ['published', 'published'],
  ]),
}

/** Formats by the name of the first element. A file may lack its root and start with a record. */
export const FORMAT_BY_ROOT: ReadonlyMap<string, SitemapFormat> = new Map([
  ['urlset', URLSET],
  ['url', URLSET],
  ['sitemapindex', INDEX],
  ['sitemap', INDEX],
  ['rss', RSS],
  ['rdf', RSS],
  ['feed', ATOM],
])
