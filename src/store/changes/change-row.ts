// Converts changes between their rows and the ports. The columns are the same in both stores.

import { parseCrawlSettings } from '../../config/crawl-settings.ts'
import type { LastSeen } from '../../frontier/page-changes.ts'
import { destinationOf } from '../../frontier/page-changes.ts'
import type { TerminalState } from '../../lib/states.ts'
import {
  CHANGE_KINDS,
  type ChangeCounts,
  type ChangeKind,
  type FactChanges,
  type PendingChange,
  type PublishedChange,
  type RecordedChange,
} from '../../ports/changes.ts'
import { stateCode, stateFromCode } from '../encoding/state-codes.ts'

type Row = Record<string, unknown>

const SHOWN_STATES = [stateCode('visited'), stateCode('redirected'), stateCode('not_found')].join(', ')

/** SQL: whether a row `v` of `visits` is an observation. The same rule as `isObservation`. */
export const IS_OBSERVATION_SQL = `(v.state in (${SHOWN_STATES}) or v.reason = 'http_410')`

/** All columns except the hash of the URL, which does not fit a number. */
export const CHANGE_COLUMNS = [
  'id',
  'url_id',
  'kind',
  'at',
  'page',
  'previous_page',
  'facts',
  'is_repeated',
  'tries',
  'cursor',
  'published_at',
  'words_added',
  'words_removed',
  'summary',
]
  .map((name) => `c.${name}`)
  .join(', ')

/**
 * Selects rows for `toChangeCounts`. Published changes are counted by kind in the index `changes_counted`, so a
 * count since some time reads only later changes. The plus keeps pending changes in `changes_due`, which contains
 * nothing else.
 */
export function countSql({ crawl, since }: { crawl: string | null; since: string | null }): string {
  const crawls = crawl === null ? 'select id from crawls' : `select id from crawls where uuid = ${crawl}`
  const at = since === null ? '' : `and c.at >= ${since}`
  const ofKind = (kind: ChangeKind) =>
    `select '${kind}' as kind, count(*) as n from changes c
     where c.crawl in (${crawls}) and c.kind = '${kind}' ${at} and c.cursor is not null`
  const pending = `select 'pending', count(*) from changes c where c.due_at is not null and +c.crawl in (${crawls}) ${at}`
  return [...CHANGE_KINDS.map(ofKind), pending].join(' union all ')
}

/**
 * SQL: the change is published and was passed on to all webhooks that want changes of pages. Only such a change may
 * be deleted when it expires.
 */
export const IS_ANNOUNCED_SQL = `c.cursor is not null
  and not exists (select 1 from webhooks w where w.changes_cursor < c.cursor and w.events like '%"page.%')`

/** SQL: the version that shows what the page is, or was. */
export const SHOWN_PAGE_SQL = `case c.kind when 'removed' then c.previous_page else coalesce(c.page, c.previous_page) end`

/** Maps a row of `visits`, joined with the last version that was a page. */
export function toLastSeen(row: Row): LastSeen {
  return {
    destination: destinationOf({ state: stateFromCode(Number(row['state'])) as TerminalState }),
    facts: {
      title: row['title'] as string | null,
      httpStatus: row['http_status'] as number | null,
      redirectTo: row['redirect_to'] as string | null,
      canonical: row['canonical'] as string | null,
      noindex: row['noindex'] === true || row['noindex'] === 1,
    },
    pageId: numberOrNull(row['last_page']),
  }
}

function toRecordedChange(row: Row): RecordedChange {
  return {
    id: Number(row['id']),
    crawlId: String(row['uuid']),
    urlId: Number(row['url_id']),
    url: String(row['url']),
    kind: row['kind'] as ChangeKind,
    at: Number(row['at']),
    pageId: numberOrNull(row['page']),
    previousPageId: numberOrNull(row['previous_page']),
    facts: JSON.parse(String(row['facts'])) as FactChanges,
    isRepeated: row['is_repeated'] === null ? null : Boolean(row['is_repeated']),
  }
}

export function toPendingChange(row: Row): PendingChange {
  return {
    ...toRecordedChange(row),
    hostId: Number(row['host']),
    tries: Number(row['tries']),
    noise: row['noise'] as string | null,
    settings: parseCrawlSettings(String(row['settings'])),
  }
}

export function toPublishedChange(row: Row): PublishedChange {
  return {
    ...toRecordedChange(row),
    title: row['title'] as string | null,
    cursor: Number(row['cursor']),
    publishedAt: Number(row['published_at']),
    wordsAdded: numberOrNull(row['words_added']),
    wordsRemoved: numberOrNull(row['words_removed']),
    summary: String(row['summary']),
  }
}

/** Sums rows with a count of one kind, or of pending changes. */
export function toChangeCounts(rows: Row[]): ChangeCounts {
  const counts = { ...Object.fromEntries(CHANGE_KINDS.map((kind) => [kind, 0])), pending: 0 } as ChangeCounts
  for (const row of rows) counts[row['kind'] as keyof ChangeCounts] = Number(row['n'])
  return counts
}

function numberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value)
}
