// The records of crawlers and indexers in the long and the short form of this API: page records and index entries.

import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import type { ApiDependencies } from '../../api/handlers.ts'
import { archivedUrls } from '../../api/replay/archived-urls.ts'
import { findCrawl } from '../../api/requests/find-crawl.ts'
import { searchHandlers } from '../../api/routes/search.ts'
import { type PageRecord, toPageRecord } from '../../engine/pages/page-record.ts'
import { AppError } from '../../lib/errors.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { FinalUrls } from '../final-urls.ts'
import { type CompatRoute, defineRoute } from '../mount-compat-routes.ts'
import { crawlParams } from './schemas.ts'

const form = z.enum(['long', 'short']).default('long')
const PAGE = {
  scope: 'read',
  params: crawlParams,
  query: z.object({ url: z.string().min(1).max(4096), form }),
} as const
const TERMS = {
  scope: 'read',
  query: z.object({
    terms: z
      .string()
      .min(1)
      .max(1000)
      .transform((text) => text.split(',').flatMap((term) => term.trim() || []))
      .refine((terms) => terms.length > 0 && terms.length <= 50, 'Must name 1 to 50 terms, separated by commas.'),
    limit: z.coerce.number().int().min(1).max(1000).default(100),
    form,
  }),
} as const

export function recordRoutes(dependencies: ApiDependencies): CompatRoute[] {
  const { crawls, browse, pageCache } = dependencies
  const { getTerm } = searchHandlers(dependencies)
  return [
    defineRoute('GET /api/v1/crawl/pages/:crawl_id', PAGE, async ({ params, query }) => {
      const crawl = await findCrawl(crawls, params.crawl_id)
      const version = await findVersion(crawl.id, query.url, dependencies)
      const record = toPageRecord(await pageCache.read(version))
      const finalUrls = await FinalUrls.read(browse, crawl, [version])
      const full = { ...record, final_url: finalUrls.of(version) ?? version.url }
      return query.form === 'long' ? full : shortRecord(full)
    }),
    defineRoute('GET /api/v1/indexer/terms', TERMS, async ({ query: { terms, limit, form } }, caller) => {
      const entries = []
      // Terms are read one after the other: each reads thousands of documents.
      for (const term of terms)
        entries.push(await getTerm({ params: { term }, query: { limit } }, caller).catch(ignoreUnknownTerm))
      if (form === 'long') return { entries: entries.filter((entry) => entry !== null) }
      const urls = entries.map((entry) => entry?.documents.map(({ url }) => url) ?? [])
      return Object.fromEntries(terms.map((term, i) => [term, urls[i]]))
    }),
  ]
}

/** The last version of the URL in the crawl. */
async function findVersion(
  crawlId: string,
  url: string,
  { pages }: Pick<ApiDependencies, 'pages'>,
): Promise<PageVersion> {
  for (const candidate of archivedUrls(url)) {
    const version = (await pages.history(candidate)).findLast((one) => one.crawlId === crawlId)
    if (version !== undefined) return version
  }
  throw new AppError('PAGE_NOT_FOUND', `Crawl ${crawlId} has archived no page of ${url}.`)
}

function shortRecord(record: PageRecord) {
  const { html_content, metadata, links } = record
  return {
    url: record.original_url,
    fetched_at: record.crawl_timestamp,
    status_code: record.http_status,
    title: metadata.title,
    html: html_content === null ? null : gunzipSync(Buffer.from(html_content, 'base64')).toString('utf8'),
    text: record.text_content,
    links: links.map(({ url }) => url),
  }
}

function ignoreUnknownTerm(error: unknown): null {
  if (error instanceof AppError && error.code === 'TERM_NOT_FOUND') return null
  throw error
}
