// The documents of a collection as a web site on loopback, in two shapes. Plain: a sitemap lists the documents, so no link
// text helps to find them. Hub: one page links to all documents by their titles. Paths are numbers, because words in
// paths are searched too.

import { createHash } from 'node:crypto'
import { escapeHtml } from '../../src/lib/escape-html.ts'
import type { Collection, CollectionDocument } from './read-collection.ts'
import type { Site } from './serve-site.ts'

export const SHAPES = ['plain', 'hub'] as const
export type Shape = (typeof SHAPES)[number]

/** The maximum that one sitemap may list. */
const SITEMAP_URLS = 50_000

export function makeCollectionSite({ name, documents }: Collection, shape: Shape): Site {
  const pages = new Map(documents.map((document, i) => [`/${i}`, renderDocument(document)]))
  if (shape === 'hub') pages.set('/', renderHub(documents))
  const hash = createHash('sha256')
  for (const [path, html] of pages) hash.update(`${path}\n${html}\n`)
  const paths = [...pages.keys()]
  const sitemaps = shape === 'plain' ? 1 + Math.ceil(paths.length / SITEMAP_URLS) : 0
  return {
    name: `${name}-${shape}`,
    fingerprint: hash.digest('hex'),
    urls: pages.size + sitemaps,
    seeds: [shape === 'hub' ? '/' : '/0'],
    crawlFlags:
      shape === 'hub'
        ? ['--no-sitemaps', '--max-links', String(documents.length)]
        : ['--sitemap', '/sitemap.xml', '--sitemap-only'],
    respond(path, origin) {
      const sitemap = shape === 'plain' ? renderSitemap(path, paths, origin) : null
      if (sitemap !== null) return { type: 'application/xml', body: sitemap }
      const body = pages.get(path)
      return body === undefined ? null : { type: 'text/html; charset=utf-8', body }
    },
  }
}

/** The id of the document at a URL of the site; null for the hub. */
export function documentIdAt(url: string, documents: readonly CollectionDocument[]): string | null {
  const number = new URL(url).pathname.slice(1)
  return number === '' ? null : (documents[Number(number)]?.id ?? null)
}

function renderDocument({ title, text }: CollectionDocument): string {
  const heading = escapeHtml(title)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${heading}</title></head>
<body><main><h1>${heading}</h1>
<p>${escapeHtml(text)}</p></main></body></html>`
}

function renderHub(documents: readonly CollectionDocument[]): string {
  const links = documents.map(({ id, title }, i) => `<li><a href="/${i}">${escapeHtml(title || id)}</a></li>`)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>All documents</title></head>
<body><main><h1>All documents</h1><ul>
${links.join('\n')}
</ul></main></body></html>`
}

/** /sitemap.xml lists /sitemap.xml?0, /sitemap.xml?1 and so on, which list the pages. */
function renderSitemap(path: string, paths: readonly string[], origin: string): string | null {
  const [file, number] = path.split('?')
  if (file !== '/sitemap.xml') return null
  if (number === undefined) {
    const count = Math.ceil(paths.length / SITEMAP_URLS)
    const parts = Array.from({ length: count }, (_, i) => `<sitemap><loc>${origin}/sitemap.xml?${i}</loc></sitemap>`)
    return `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${parts.join('\n')}</sitemapindex>`
  }
  const listed = paths.slice(Number(number) * SITEMAP_URLS, (Number(number) + 1) * SITEMAP_URLS)
  const urls = listed.map((page) => `<url><loc>${origin}${page}</loc></url>`)
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('\n')}</urlset>`
}
