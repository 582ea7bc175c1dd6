import { z } from 'zod'
import { route } from './route.ts'

const count = z.int().min(0)

export const SearchHit = z.object({
  url: z.string(),
  title: z.string(),
  /** Plain text; highlights are positions in it. */
  snippet: z.string(),
  highlights: z.array(z.tuple([count, count])).describe('Pairs of start and end in the snippet, in UTF-16 units.'),
  title_highlights: z.array(z.tuple([count, count])),
  title_html: z.string().describe('Escaped HTML, with <mark> around the matches.'),
  snippet_html: z.string().describe('Escaped HTML, with <mark> around the matches.'),
  host: z.string(),
  lang: z.string().nullable(),
  content_type: z.string().nullable(),
  page_id: z.int(),
  crawl_id: z.string(),
  version: z.int(),
  visited_at: z.iso.datetime(),
  changed_at: z.iso.datetime().nullable(),
  score: z.number(),
  /** Number of near-duplicates grouped under this page. */
  similar: count,
  explanation: z
    .object({
      text: z.number().describe('BM25 over the weighted fields.'),
      link_rank: z.number(),
      language: z.number().describe('Below 1 if the page is not in the preferred language.'),
      freshness: z.number(),
      fields: z.record(z.string(), z.number()),
    })
    .nullable(),
})

const Facet = z.array(z.object({ key: z.string(), count }))

export const SearchResponse = z.object({
  results: z.array(SearchHit),
  total: count,
  total_is_exact: z.boolean(),
  next_cursor: z.string().nullable(),
  took_ms: z.number(),
  /** The query as interpreted. */
  query: z.string(),
  /** A warning if the query was reinterpreted. */
  note: z.string().nullable(),
  did_you_mean: z.string().nullable(),
  related: z.array(z.string()),
  facets: z.object({ host: Facet, lang: Facet, type: Facet, date: Facet }).nullable(),
})

export const searchRoutes = {
  search: route({
    summary: 'Search the crawled pages',
    scope: 'read',
    query: z.object({
      q: z.string().describe('Cut after 1,000 characters, with a note.'),
      limit: z.coerce.number().int().min(1).max(100).default(10),
      cursor: z.string().max(500).optional(),
      crawl: z.string().max(64).optional(),
      prefer_lang: z
        .string()
        .max(35)
        .optional()
        .describe('Pages in other languages rank lower. The default is the language of most indexed pages.'),
      sort: z.enum(['relevance', 'fresh', 'newest']).default('relevance'),
      facets: z.stringbool().default(false),
      explain: z.stringbool().default(false),
      fold: z.stringbool().default(true).describe('Group near-duplicates, and more than two pages of a host.'),
    }),
    response: SearchResponse,
    errors: ['INDEX_OFF', 'BAD_CURSOR'],
  }),
  suggest: route({
    summary: 'Suggest words and titles that start with a prefix',
    scope: 'read',
    query: z.object({ q: z.string().max(200), limit: z.coerce.number().int().min(1).max(20).default(8) }),
    response: z.object({ suggestions: z.array(z.object({ text: z.string(), kind: z.enum(['word', 'title']) })) }),
    errors: ['INDEX_OFF'],
  }),
  getTerm: route({
    summary: 'Get the entry of a term in the inverted index',
    scope: 'read',
    params: z.object({ term: z.string().min(1).max(100) }),
    query: z.object({
      limit: z.coerce.number().int().min(1).max(1000).default(100),
      lang: z
        .string()
        .max(10)
        .optional()
        .describe('The language used to stem the word; by default, the languages of the index.'),
    }),
    response: z.object({
      term: z.string(),
      document_frequency: count,
      inverse_document_frequency: z.number(),
      documents: z.array(
        z.object({
          doc_id: z.int(),
          url: z.string(),
          term_frequency: count,
          positions: z.array(count).describe('Positions in the body, counted in terms.'),
          fields: z.record(z.string(), z.array(count)).describe('Positions by field.'),
          tf_idf_score: z.number(),
        }),
      ),
    }),
    errors: ['INDEX_OFF', 'TERM_NOT_FOUND'],
  }),
  getIndex: route({
    summary: 'Get the state of the search index',
    scope: 'read',
    response: z.object({
      is_on: z.boolean(),
      documents: count,
      waiting: count.describe('Archived pages that are not indexed yet.'),
      lag_ms: count,
      bytes: count,
      pages_per_second: z.number(),
      by_lang: Facet,
    }),
  }),
}
