import { z } from 'zod'
import { MAX_SELECTOR_LENGTH } from '../../config/values/parse-selector.ts'
import { MAX_PATTERN_LENGTH } from '../../config/values/pattern-syntax.ts'
import { paginated, paginationQuery } from './pagination.ts'
import { route } from './route.ts'

const count = z.int().min(0)
const id = z.string().max(64)
const text = z.string().min(1)

export const ValueCondition = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('changed') }),
  z.strictObject({ kind: z.literal('contains'), text: text.max(200) }),
  z.strictObject({ kind: z.literal('above'), limit: z.number() }),
  z.strictObject({ kind: z.literal('below'), limit: z.number() }),
])

export const MonitorRule = z.discriminatedUnion('kind', [
  z
    .strictObject({ kind: z.literal('words'), words: z.array(text.max(200)).min(1).max(100) })
    .describe('Any of these words or phrases, in any case.'),
  z
    .strictObject({ kind: z.literal('pattern'), pattern: text.max(MAX_PATTERN_LENGTH) })
    .describe('A regular expression, matched against each line of the visible text.'),
  z
    .strictObject({
      kind: z.literal('selector'),
      selector: text.max(MAX_SELECTOR_LENGTH),
      condition: ValueCondition,
    })
    .describe('The text or number of the elements that a CSS selector selects.'),
  z
    .strictObject({ kind: z.literal('copies'), min_words: z.int().min(20).max(1000).default(50) })
    .describe("Copies of the monitor's documents: passages of about this many words or more, even if edited."),
])

const urlPatterns = z.array(text.max(MAX_PATTERN_LENGTH)).max(50)
const MonitorFields = z.strictObject({
  name: z.string().trim().min(1).max(100),
  rule: MonitorRule,
  crawl_ids: z.array(id).max(100).default([]).describe('Empty: all crawls.'),
  include: urlPatterns.default([]).describe('Patterns of URLs to watch. Empty: all.'),
  exclude: urlPatterns.default([]).describe('Patterns of URLs to leave out.'),
  muted: z.boolean().default(false).describe('Hits are stored, but nobody is notified.'),
})

export const Monitor = MonitorFields.extend({
  monitor_id: z.string(),
  created_at: z.iso.datetime().describe('Pages visited earlier are not examined.'),
  hits: count,
  open_hits: count.describe('Hits that nobody has acknowledged.'),
  last_hit_at: z.iso.datetime().nullable(),
  deleted_hits: count.describe('Oldest hits that were deleted because there were too many. Not counted in hits.'),
  dropped_hits: count.describe('Of these, hits that were never sent to webhooks, because no server was running.'),
  documents: count,
  document_words: count,
  muted_urls: z.array(z.string()),
})

export const MonitorDocument = z.object({
  document_id: z.string(),
  title: z.string(),
  url: z.string().nullable().describe('The archived page that it was read from; null if it was uploaded.'),
  words: count,
  added_at: z.iso.datetime(),
})

const Passage = z.object({
  text: z.string(),
  highlights: z.array(z.tuple([count, count])).describe('Start and end of each, in UTF-16 code units.'),
})

export const HitEvidence = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('passages'), matches: count, passages: z.array(Passage) }),
  z.object({
    kind: z.literal('value'),
    before: z.string().nullable().describe('Null: the page had no such element, or was not seen before.'),
    after: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('copies'),
    matches: count.describe('Copied passages; the longest are listed.'),
    copies: z.array(
      z.object({
        document_id: z.string(),
        title: z.string(),
        url: z.string().nullable(),
        words: count.describe('Words of the passage on the page.'),
        same: count.describe('Words of it that are the same in the document.'),
        on_page: Passage.describe('Words that differ are highlighted.'),
        in_document: Passage,
      }),
    ),
  }),
])

export const MonitorHit = z.object({
  hit_id: z.int(),
  monitor_id: z.string(),
  monitor_name: z.string(),
  crawl_id: z.string(),
  page_id: z.int().describe('The page version; it may have expired.'),
  url: z.string(),
  version: z.int(),
  title: z.string().nullable(),
  visited_at: z.iso.datetime(),
  at: z.iso.datetime().describe('When the page was examined.'),
  muted: z.boolean(),
  acknowledged_at: z.iso.datetime().nullable(),
  summary: z.string(),
  evidence: HitEvidence,
})

const monitorParams = z.object({ monitor_id: id })
const url = z.string().min(1).max(4096)

export const monitorRoutes = {
  listMonitors: route({ summary: 'List monitors', scope: 'read', response: paginated(Monitor) }),
  createMonitor: route({
    summary: 'Create a monitor, which examines every page version from now on',
    scope: 'crawl',
    body: MonitorFields,
    response: Monitor,
    status: 201,
    errors: ['BAD_CONFIG', 'CRAWL_NOT_FOUND', 'MONITOR_LIMIT'],
  }),
  getMonitor: route({
    summary: 'Get a monitor',
    scope: 'read',
    params: monitorParams,
    response: Monitor,
    errors: ['MONITOR_NOT_FOUND'],
  }),
  changeMonitor: route({
    summary: 'Change or mute a monitor; a new rule starts from scratch',
    scope: 'crawl',
    params: monitorParams,
    body: z.strictObject({
      name: MonitorFields.shape.name.optional(),
      rule: MonitorRule.optional(),
      crawl_ids: z.array(id).max(100).optional(),
      include: urlPatterns.optional(),
      exclude: urlPatterns.optional(),
      muted: z.boolean().optional(),
    }),
    response: Monitor,
    errors: ['MONITOR_NOT_FOUND', 'BAD_CONFIG', 'CRAWL_NOT_FOUND'],
  }),
  deleteMonitor: route({
    summary: 'Delete a monitor with its documents and hits',
    scope: 'crawl',
    params: monitorParams,
    response: null,
    status: 204,
    errors: ['MONITOR_NOT_FOUND'],
  }),
  muteMonitorUrl: route({
    summary: 'Mute or unmute a URL for a monitor',
    scope: 'crawl',
    params: monitorParams,
    body: z.strictObject({ url, muted: z.boolean().default(true) }),
    response: Monitor,
    errors: ['MONITOR_NOT_FOUND', 'BAD_SEED', 'MONITOR_LIMIT'],
  }),
  scanArchive: route({
    summary:
      'Examine archived page versions with a monitor, for about a second; repeat with `next` as `after` until it is null',
    scope: 'crawl',
    params: monitorParams,
    body: z.strictObject({ after: z.number().int().min(0).default(0) }),
    response: z.object({
      examined: z.number().int(),
      unread: z.number().int(),
      new_hits: z.number().int(),
      next: z.number().int().nullable(),
      newest: z.number().int(),
    }),
    errors: ['MONITOR_NOT_FOUND'],
  }),
  getMonitorFeed: route({
    summary: 'Get the hits of a monitor as an Atom feed, without muted ones',
    scope: 'read',
    params: monitorParams,
    query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) }),
    response: { stream: ['application/atom+xml; charset=utf-8'] },
    errors: ['MONITOR_NOT_FOUND'],
  }),
  listMonitorDocuments: route({
    summary: 'List the protected documents of a monitor',
    scope: 'read',
    params: monitorParams,
    response: paginated(MonitorDocument),
    errors: ['MONITOR_NOT_FOUND'],
  }),
  addMonitorDocument: route({
    summary: 'Add a protected document: its text, its HTML, or the URL of an archived page',
    scope: 'crawl',
    params: monitorParams,
    body: z.union([
      z.strictObject({ text, title: z.string().trim().min(1).max(300) }),
      z.strictObject({ html: text, title: z.string().trim().min(1).max(300).optional() }),
      z.strictObject({ url, title: z.string().trim().min(1).max(300).optional() }),
    ]),
    response: MonitorDocument,
    status: 201,
    errors: ['MONITOR_NOT_FOUND', 'PAGE_NOT_FOUND', 'PAGE_NOT_KEPT', 'BAD_SEED', 'BAD_CONFIG', 'MONITOR_LIMIT'],
  }),
  deleteMonitorDocument: route({
    summary: 'Delete a protected document',
    scope: 'crawl',
    params: z.object({ monitor_id: id, document_id: id }),
    response: null,
    status: 204,
    errors: ['MONITOR_NOT_FOUND', 'DOCUMENT_NOT_FOUND'],
  }),
  listHits: route({
    summary: 'List hits of monitors, newest first',
    scope: 'read',
    query: paginationQuery.extend({
      monitor_id: id.optional(),
      crawl_id: id.optional(),
      url: url.optional(),
      open: z.enum(['true', 'false']).optional().describe('Only hits that nobody has acknowledged, or only others.'),
    }),
    response: paginated(MonitorHit),
    errors: ['MONITOR_NOT_FOUND', 'CRAWL_NOT_FOUND', 'BAD_SEED', 'BAD_CURSOR'],
  }),
  getHit: route({
    summary: 'Get a hit of a monitor',
    scope: 'read',
    params: z.object({ hit_id: z.coerce.number().int().min(1) }),
    response: MonitorHit,
    errors: ['HIT_NOT_FOUND'],
  }),
  acknowledgeHits: route({
    summary: 'Acknowledge hits: those in a list, or all of a monitor up to and including one',
    scope: 'crawl',
    body: z.union([
      z.strictObject({ hit_ids: z.array(z.int().min(1)).min(1).max(1000) }),
      z.strictObject({ monitor_id: id, up_to: z.int().min(1) }),
    ]),
    response: z.object({ acknowledged: count.describe('Hits that were not acknowledged before.') }),
    errors: ['MONITOR_NOT_FOUND'],
  }),
}
