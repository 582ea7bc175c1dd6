import { z } from 'zod'
import { CHANGE_KINDS } from '../../ports/changes.ts'
import { Crawl, crawlParams } from './crawls.ts'
import { paginated, paginationQuery } from './pagination.ts'
import { route } from './route.ts'
import { PageSummary } from './urls.ts'

const count = z.int().min(0)
const changed = <T extends z.ZodType>(value: T) => z.object({ before: value, after: value }).optional()

export const Change = z.object({
  change_id: z.int(),
  /** Position in the public order. */
  cursor: z.int(),
  crawl_id: z.string(),
  url_id: z.int(),
  url: z.string(),
  kind: z.enum(CHANGE_KINDS),
  at: z.iso.datetime().describe('When the change was seen.'),
  published_at: z.iso.datetime(),
  page_id: z.int().nullable().describe('The new version; null if none was archived.'),
  previous_page_id: z.int().nullable().describe('The last version before it that was a page.'),
  title: z.string().nullable(),
  words_added: count.nullable().describe('Null if the text could not be compared.'),
  words_removed: count.nullable(),
  summary: z.string(),
  facts: z
    .object({
      title: changed(z.string().nullable()),
      http_status: changed(z.int().nullable()),
      redirect_to: changed(z.string().nullable()),
      canonical: changed(z.string().nullable()),
      noindex: changed(z.boolean()),
    })
    .describe('Facts that differ.'),
})

export const DIFF_PROBLEMS = ['not_archived', 'gone', 'unreadable', 'no_text', 'away'] as const
export const IGNORE_REASONS = ['clock', 'learned', 'rule'] as const

export const DiffLine = z.object({
  kind: z.enum(['same', 'removed', 'added']),
  text: z.string(),
  changed: z
    .array(z.tuple([count, count]))
    .describe('Ranges of the text that differ from the other version of the line. Empty: the whole line.'),
  moved: z.boolean(),
  ignored: z.enum(IGNORE_REASONS).nullable().describe('Why the line does not count; null: it counts.'),
})

export const TextDiff = z.object({
  hunks: z.array(
    z.object({
      old_start: z.int().describe('Number of its first line in the old text, from 1.'),
      new_start: z.int(),
      lines: z.array(DiffLine).describe('Removed lines before the added ones that replace them.'),
    }),
  ),
  words_added: count,
  words_removed: count,
  is_cut: z.boolean().describe('Only the beginnings of the texts were compared.'),
})

const Compared = z.object({
  diff: TextDiff.nullable(),
  problem: z.enum(DIFF_PROBLEMS).nullable().describe('Why there is no diff.'),
})

const changeFilter = z.object({
  kind: z
    .union([z.enum(CHANGE_KINDS), z.array(z.enum(CHANGE_KINDS))])
    .optional()
    .describe('Repeatable.'),
  since: z.iso.datetime().optional().describe('Seen at or after this time.'),
  until: z.iso.datetime().optional().describe('Seen before this time.'),
  min_words: z.coerce.number().int().min(0).default(0).describe('Minimum number of words added and removed.'),
})
const crawlId = z.string().max(64)

export const changeRoutes = {
  listChanges: route({
    summary: 'List changes of pages, newest first, or oldest first to follow them',
    scope: 'read',
    query: paginationQuery.extend({
      ...changeFilter.shape,
      crawl_id: crawlId.optional(),
      url: z.string().min(1).max(4096).optional(),
      order: z
        .enum(['newest', 'oldest'])
        .default('newest')
        .describe('With oldest, next_cursor is never null: it continues with what is published later.'),
    }),
    response: paginated(Change),
    errors: ['CRAWL_NOT_FOUND', 'BAD_SEED', 'BAD_CURSOR'],
  }),
  countChanges: route({
    summary: 'Count the changes of pages by kind',
    scope: 'read',
    query: z.object({ crawl_id: crawlId.optional(), since: z.iso.datetime().optional() }),
    response: z.object({
      added: count,
      changed: count,
      removed: count,
      returned: count,
      redirected: count,
      pending: count.describe('Not examined yet.'),
    }),
    errors: ['CRAWL_NOT_FOUND'],
  }),
  getChange: route({
    summary: 'Get a change with the differences in the text',
    scope: 'read',
    params: z.object({ change_id: z.coerce.number().int().min(1) }),
    response: Change.extend(Compared.shape),
    errors: ['CHANGE_NOT_FOUND'],
  }),
  diffPages: route({
    summary: 'Compare the text of two archived pages',
    scope: 'read',
    params: z.object({ page_id: z.coerce.number().int().min(1) }),
    query: z.object({ before: z.coerce.number().int().min(1).describe('The page to compare with, the older one.') }),
    response: Compared.extend({ before: PageSummary, after: PageSummary }),
    errors: ['PAGE_NOT_FOUND'],
  }),
  getChangeFeed: route({
    summary: 'Get the changes of a crawl as an Atom feed',
    scope: 'read',
    params: crawlParams,
    query: changeFilter.extend({ limit: z.coerce.number().int().min(1).max(200).default(50) }),
    response: { stream: ['application/atom+xml; charset=utf-8'] },
    errors: ['CRAWL_NOT_FOUND'],
  }),
  ignoreChange: route({
    summary: 'Ignore changes like that of a line, or in elements that match a CSS selector, from now on',
    scope: 'crawl',
    params: crawlParams,
    body: z.union([
      z.strictObject({ line: z.string().trim().min(1).max(5000).describe('As in a diff. Its numbers may differ.') }),
      z.strictObject({ selector: z.string().min(1).max(1000) }),
    ]),
    response: Crawl,
    errors: ['CRAWL_NOT_FOUND', 'CRAWL_CLOSED', 'BAD_CONFIG'],
  }),
}
