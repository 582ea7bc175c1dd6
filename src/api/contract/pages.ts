import { z } from 'zod'
import { paginated } from './pagination.ts'
import { route } from './route.ts'
import { PageSummary } from './urls.ts'

const pageParams = z.object({ page_id: z.coerce.number().int().min(1) })

/** The record that other programs read; its names are those of engine/pages/page-record.ts. */
export const PageRecord = z.object({
  page_id: z.int(),
  crawl_id: z.string(),
  record_id: z.string(),
  original_url: z.string(),
  final_url: z.string(),
  crawl_timestamp: z.string(),
  http_status: z.int().nullable(),
  content_type: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  html_content: z.string().nullable().describe('Gzip in base64; null when it is no html or was not asked for.'),
  text_content: z.string(),
  metadata: z.object({
    title: z.string().nullable(),
    description: z.string().nullable(),
    keywords: z.array(z.string()),
    author: z.string().nullable(),
    page_count: z.int().nullable(),
  }),
  links: z.array(z.object({ url: z.string(), anchor_text: z.string(), rel: z.string() })),
  version: z.int(),
  word_count: z.int().nullable(),
  content_hash: z.string().nullable(),
  resembles: z.int().nullable(),
})

export const pageRoutes = {
  findPages: route({
    summary: 'Versions of a url that were kept, over all crawls',
    scope: 'read',
    query: z.object({ url: z.string().min(1).max(4096) }),
    response: paginated(PageSummary),
    errors: ['BAD_SEED'],
  }),
  getPage: route({
    summary: 'A kept page',
    scope: 'read',
    params: pageParams,
    query: z.object({ html: z.stringbool().default(false).describe('With the html.') }),
    response: PageRecord,
    errors: ['PAGE_NOT_FOUND', 'PAGE_NOT_KEPT', 'ARCHIVE_BROKEN', 'ARCHIVE_AWAY'],
  }),
  getPageRaw: route({
    summary: 'The body of a kept page as a download that nothing interprets',
    scope: 'read',
    params: pageParams,
    response: { stream: ['application/octet-stream'] },
    errors: ['PAGE_NOT_FOUND', 'PAGE_NOT_KEPT', 'ARCHIVE_BROKEN', 'ARCHIVE_AWAY'],
  }),
  getPageText: route({
    summary: 'The visible text of a kept page',
    scope: 'read',
    params: pageParams,
    response: { stream: ['text/plain; charset=utf-8'] },
    errors: ['PAGE_NOT_FOUND', 'PAGE_NOT_KEPT', 'ARCHIVE_BROKEN', 'ARCHIVE_AWAY'],
  }),
  getPageHistory: route({
    summary: 'All versions of the url of a page, and how the text of this one differs from the one before',
    scope: 'read',
    params: pageParams,
    response: z.object({
      url: z.string(),
      versions: z.array(PageSummary),
      /** Null when there is none before, or its text is not kept. */
      diff: z.array(z.object({ kind: z.enum(['same', 'added', 'removed']), text: z.string() })).nullable(),
    }),
    errors: ['PAGE_NOT_FOUND'],
  }),
}
