// Links as they were written. They are not stored: they are read again in the archived page where a URL was found.

import type { ArchivedPage } from '../../engine/pages/read-archived-page.ts'
import { normaliseUrl } from '../../engine/url/normalise-url.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { Pages, PageVersion } from '../../ports/pages.ts'
import type { UrlRow, Urls } from '../../ports/urls.ts'

export interface RawUrlDependencies {
  pages: Pick<Pages, 'history'>
  pageCache: { readUncached(version: PageVersion): Promise<ArchivedPage> }
  urls: Pick<Urls, 'urlsOf'>
}

type FoundRow = Pick<UrlRow, 'url' | 'discoveredFrom'>

/** About a second of reading. */
const MAX_PAGES = 500

export class RawUrls {
  readonly #crawl: Crawl
  /** Links as written, by page id and URL. */
  readonly #written: ReadonlyMap<number, ReadonlyMap<string, string>>

  private constructor(crawl: Crawl, written: ReadonlyMap<number, ReadonlyMap<string, string>>) {
    this.#crawl = crawl
    this.#written = written
  }

  /** Reads the pages where these rows were found, up to some hundred of them. */
  static async read(dependencies: RawUrlDependencies, crawl: Crawl, rows: readonly FoundRow[]): Promise<RawUrls> {
    const ids = [...new Set(rows.flatMap(({ discoveredFrom }) => discoveredFrom ?? []))].slice(0, MAX_PAGES)
    const written = new Map<number, ReadonlyMap<string, string>>()
    for (const [id, url] of await dependencies.urls.urlsOf(crawl.id, ids)) {
      const versions = await dependencies.pages.history(url)
      const version = versions.findLast(({ crawlId, isArchived }) => crawlId === crawl.id && isArchived)
      // A page that cannot be read, or no longer, leaves its links unknown.
      const page = version && (await dependencies.pageCache.readUncached(version).catch(() => undefined))
      if (page !== undefined) written.set(id, linksOf(page))
    }
    return new RawUrls(crawl, written)
  }

  /** Null if the link is unknown. */
  of({ url, discoveredFrom }: FoundRow): string | null {
    if (discoveredFrom !== null) return this.#written.get(discoveredFrom)?.get(url) ?? null
    return url === this.#crawl.rootUrl ? this.#crawl.requestedUrl : null
  }
}

function linksOf({ version, headers, links }: ArchivedPage): Map<string, string> {
  const written = new Map<string, string>()
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  const target = location === undefined ? null : normaliseUrl(location, version.url)
  if (location !== undefined && target !== null && 'url' in target) written.set(target.url, location)
  for (const { url, href } of links) if (!written.has(url)) written.set(url, href)
  return written
}
