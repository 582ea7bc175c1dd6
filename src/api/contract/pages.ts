import { z } from 'zod'
import { MAX_RULES } from '../../config/values/extract-rules.ts'
import { paginated } from './pagination.ts'
import { route } from './route.ts'
import { PageSummary } from './urls.ts'

const pageParams = z.object({ page_id: z.coerce.number().int().min(1) })

/** A format that other programs read; the fields are those of engine/pages/page-record.ts. */
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
  html_content: z
    .string()
    .nullable()
    .describe('Gzipped HTML in base64; null if the page is not HTML or the HTML was not requested.'),
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
  note: z.string().nullable(),
})

const ArchivePosition = z.object({ segment: z.string(), offset: z.int(), length: z.int() }).nullable()

/** Everything that the store knows about a page version. */
export const PageDetails = PageSummary.extend({
  url: z.string(),
  first_seen_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  payload_digest: z.string().nullable(),
  redirect_to: z.string().nullable(),
  canonical: z.string().nullable(),
  noindex: z.boolean(),
  fetch_ms: z.number().nullable(),
  wire_bytes: z.int(),
  charset: z.string().nullable(),
  lang: z.string().nullable(),
  description: z.string().nullable(),
  keywords: z.string().nullable(),
  words: z.int().nullable(),
  fingerprint: z.string().nullable(),
  resembles: z.int().nullable().describe('The page of which this one is a near-duplicate.'),
  resembles_url: z.string().nullable(),
  record: ArchivePosition,
  payload: ArchivePosition,
})

/** Characters: about 500 tokens of English text. */
const DEFAULT_CHUNK_LENGTH = 2000

/** The fields are those of engine/content/page-markdown.ts. */
const PageChunk = z.object({
  chunk_id: z.string().describe('Depends only on the URL, the headings and the text of the chunk.'),
  url: z.string(),
  source_url: z.string().describe('With the fragment of the nearest heading.'),
  title: z.string().nullable(),
  headings: z.array(z.string()).describe('From the outermost heading to the nearest.'),
  lang: z.string().nullable(),
  page_id: z.int(),
  version: z.int(),
  fetched: z.iso.datetime(),
  markdown: z.string(),
})

const FieldScalar = z.union([z.string(), z.number()])
const FieldValue = z.union([FieldScalar, z.array(FieldScalar)]).nullable()
const StructuredItems = z.array(z.record(z.string(), z.unknown())).describe('Items with type, id and properties.')
const Values = z.record(z.string(), z.array(z.string()))

/** The fields are those of ports/pages.ts. */
const StructuredData = z.object({
  json_ld: z.array(z.unknown()),
  microdata: StructuredItems,
  rdfa: StructuredItems,
  open_graph: Values,
  twitter: Values,
  feeds: z.array(z.object({ url: z.string(), type: z.string(), title: z.string().nullable() })),
  tables: z.array(
    z.object({ caption: z.string().nullable(), headers: z.array(z.string()), rows: z.array(z.array(z.string())) }),
  ),
  problems: z.array(z.string()).describe('What could not be read or was left out.'),
})

const PageData = z.object({
  fields: z.record(z.string(), FieldValue).nullable().describe('Null if the crawl extracts no fields.'),
  missing: z.array(z.string()).describe('Required fields that the page does not have.'),
  structured_data: StructuredData.nullable().describe('Null if the crawl does not store it, or the page has none.'),
})

export const pageRoutes = {
  findPages: route({
    summary: 'List the archived versions of a URL, over all crawls',
    scope: 'read',
    query: z.object({ url: z.string().min(1).max(4096) }),
    response: paginated(PageDetails),
    errors: ['BAD_SEED'],
  }),
  getPage: route({
    summary: 'Get an archived page',
    scope: 'read',
    params: pageParams,
    query: z.object({ html: z.stringbool().default(false).describe('Include the HTML.') }),
    response: PageRecord,
    errors: ['PAGE_NOT_FOUND', 'PAGE_NOT_KEPT', 'ARCHIVE_BROKEN', 'ARCHIVE_AWAY'],
  }),
  getPageRaw: route({
    summary: 'Download the body of an archived page, as a type that browsers do not render',
    scope: 'read',
    params: pageParams,
    query: z.object({ wire: z.stringbool().default(false).describe('As received, still compressed if it was.') }),
    response: { stream: ['application/octet-stream'] },
    errors: ['PAGE_NOT_FOUND', 'PAGE_NOT_KEPT', 'ARCHIVE_BROKEN', 'ARCHIVE_AWAY'],
  }),
  getPageText: route({
    summary: 'Get the visible text of an archived page',
    scope: 'read',
    params: pageParams,
    response: { stream: ['text/plain; charset=utf-8'] },
    errors: ['PAGE_NOT_FOUND', 'PAGE_NOT_KEPT', 'ARCHIVE_BROKEN', 'ARCHIVE_AWAY'],
  }),
  getPageMarkdown: route({
    summary: 'Get the main content of an archived page as Markdown, without navigation and other boilerplate',
    scope: 'read',
    params: pageParams,
    response: { stream: ['text/markdown; charset=utf-8'] },
    errors: ['PAGE_NOT_FOUND', 'PAGE_NOT_KEPT', 'ARCHIVE_BROKEN', 'ARCHIVE_AWAY'],
  }),
  getPageChunks: route({
    summary: 'Get the main content of an archived page in chunks with stable ids, for retrieval',
    scope: 'read',
    params: pageParams,
    query: z.object({
      max_length: z.coerce
        .number()
        .int()
        .min(200)
        .max(100_000)
        .default(DEFAULT_CHUNK_LENGTH)
        .describe('Maximum characters per chunk, except for very long headings.'),
    }),
    response: z.object({ items: z.array(PageChunk) }),
    errors: ['PAGE_NOT_FOUND', 'PAGE_NOT_KEPT', 'ARCHIVE_BROKEN', 'ARCHIVE_AWAY'],
  }),
  getPageData: route({
    summary: 'Get the fields and structured data that were extracted from a page while crawling',
    scope: 'read',
    params: pageParams,
    response: PageData,
    errors: ['PAGE_NOT_FOUND'],
  }),
  extractFromPage: route({
    summary: 'Apply extraction rules to an archived page, to check them before a crawl uses them',
    scope: 'read',
    params: pageParams,
    body: z.object({
      rules: z
        .array(z.record(z.string(), z.unknown()))
        .max(MAX_RULES)
        .default([])
        .describe('As in the extract setting.'),
      structured_data: z.boolean().default(false),
    }),
    response: z.object({
      url: z.string(),
      fields: z.array(
        z.object({
          name: z.string(),
          value: FieldValue,
          matches: z.int().describe('Elements that the selector matches.'),
          rejected: z.array(z.string()).describe('Some texts that do not have the type of the field.'),
        }),
      ),
      missing: z.array(z.string()),
      structured_data: StructuredData.nullable(),
      note: z.string().nullable(),
    }),
    errors: ['BAD_REQUEST', 'PAGE_NOT_FOUND', 'PAGE_NOT_KEPT', 'ARCHIVE_BROKEN', 'ARCHIVE_AWAY'],
  }),
  getPageScreenshot: route({
    summary: 'Get the screenshot of a rendered page',
    scope: 'read',
    params: pageParams,
    response: { stream: ['image/webp'] },
    errors: ['PAGE_NOT_FOUND', 'PAGE_NOT_KEPT', 'ARCHIVE_BROKEN', 'ARCHIVE_AWAY'],
  }),
  getPageReplay: route({
    summary: 'Get a path under which a browser can show an archived page as it looked, for a while and without a token',
    scope: 'read',
    params: pageParams,
    response: z.object({
      url: z.string(),
      page: PageSummary,
      path: z.string().describe('On this server. Everything that the page shows comes from the archive of the crawl.'),
      expires_at: z.iso.datetime(),
    }),
    errors: ['PAGE_NOT_FOUND', 'PAGE_NOT_KEPT'],
  }),
  getPageHistory: route({
    summary: 'List all versions of a page, with the differences between the text of this version and the previous one',
    scope: 'read',
    params: pageParams,
    response: z.object({
      url: z.string(),
      versions: z.array(PageSummary),
      /** Null if there is no previous version or its text is not archived. */
      diff: z.array(z.object({ kind: z.enum(['same', 'added', 'removed']), text: z.string() })).nullable(),
    }),
    errors: ['PAGE_NOT_FOUND'],
  }),
}
