import type { SitemapKind } from './entry.ts'

/** What a child of a record says about it; `href` is an Atom link, which has no text. */
export type Field = 'loc' | 'link' | 'href' | 'guid' | 'lastmod' | 'published' | 'changefreq' | 'priority'

/** Names are local and in lower case: namespaces are too often missing or wrong to go by. */
export interface Shape {
  kind: SitemapKind
  record: string
  fields: ReadonlyMap<string, Field>
}

const URLSET: Shape = {
  kind: 'urlset',
  record: 'url',
  fields: new Map<string, Field>([
    ['loc', 'loc'],
    ['lastmod', 'lastmod'],
    ['changefreq', 'changefreq'],
    ['priority', 'priority'],
  ]),
}

const INDEX: Shape = {
  kind: 'index',
  record: 'sitemap',
  fields: new Map<string, Field>([
    ['loc', 'loc'],
    ['lastmod', 'lastmod'],
  ]),
}

const RSS: Shape = {
  kind: 'feed',
  record: 'item',
  fields: new Map<string, Field>([
    ['link', 'link'],
    ['guid', 'guid'],
    ['pubdate', 'lastmod'],
  ]),
}

const ATOM: Shape = {
  kind: 'feed',
  record: 'entry',
  fields: new Map<string, Field>([
    ['link', 'href'],
    ['updated', 'lastmod'],
    ['published', 'published'],
  ]),
}

/** By the name of the first element. A file may lack its root and begin with a record. */
export const SHAPES: ReadonlyMap<string, Shape> = new Map([
  ['urlset', URLSET],
  ['url', URLSET],
  ['sitemapindex', INDEX],
  ['sitemap', INDEX],
  ['rss', RSS],
  ['rdf', RSS],
  ['feed', ATOM],
])
