// Records the trap findings of the visits of a commit: links held back because their URL pattern may be a trap, and
// the ancestry that pages pass on to their children. held-links.ts judges the held links later.

import { generationIn, hasPattern } from '../../../../frontier/judge-pattern.ts'
import { PATTERN_STATE, type PatternReport } from '../../../../ports/patterns.ts'
import type { FoundUrl, TrapFindings } from '../../../../ports/visits.ts'
import { encodeFoundUrls } from '../../../encoding/found-urls.ts'
import { holdConflictSql } from '../../../encoding/held-links-sql.ts'
import { encodeHashes } from '../../../encoding/trials.ts'
import { urlHash } from '../../../encoding/url-hash.ts'
import { bulkInsert } from '../../../postgres/bulk-insert.ts'
import { runPipelined } from '../../../postgres/database.ts'
import type { Queryable } from '../../../postgres/query.ts'
import type { InFlightUrl, VisitToRecord } from './collect-discoveries.ts'
import { addLines } from './trials.ts'

/** Ordered, so that two commits do not deadlock. */
const SAVE_HELD = bulkInsert(
  'held_urls',
  {
    crawl: 'int',
    pattern: 'text',
    key: 'bigint',
    host: 'int',
    url_id: 'bigint',
    generation: 'int',
    has_pattern: 'boolean',
    url_hash: 'bigint',
    found: 'text',
  },
  `order by pattern, key on conflict (crawl, pattern, key) ${holdConflictSql(
    ['host', 'url_id', 'generation'],
    (row) =>
      `(select u.depth from urls u where u.crawl = ${row}.crawl and u.host = ${row}.host and u.id = ${row}.url_id)`,
  )}`,
)
const SAVE_ANCESTRY = bulkInsert(
  'ancestry',
  { crawl: 'int', host: 'int', url_id: 'bigint', skeletons: 'bytea' },
  'on conflict (crawl, host, url_id) do update set skeletons = excluded.skeletons',
)

/** Saves the held links of the visits and the ancestry of their children. */
export async function recordTrapFindings(tx: Queryable, crawl: number, visitsToRecord: VisitToRecord[]): Promise<void> {
  const found = visitsToRecord.flatMap(({ url, visit: { traps, outcome } }) =>
    traps === null || outcome.state === 'retry' ? [] : [{ url, traps }],
  )
  const inherited = found.filter(({ traps }) => traps.skeletons.length > 0)
  await runPipelined(
    SAVE_ANCESTRY.run(
      tx,
      inherited.map(({ url: { host, id }, traps: { skeletons } }) => {
        return { crawl, host, url_id: id, skeletons: encodeHashes(skeletons) }
      }),
    ),
    SAVE_HELD.run(tx, heldRows(crawl, found)),
  )
}

/** One row per link, since a statement cannot change a row twice. The row is chosen as in `holdConflictSql`. */
function heldRows(crawl: number, visits: { url: InFlightUrl; traps: TrapFindings }[]) {
  const rows = new Map<string, { page: InFlightUrl; link: FoundUrl; pattern: string }>()
  for (const { url: page, traps } of visits) {
    const pattern = traps.held?.pattern ?? ''
    for (const link of traps.held?.found ?? []) {
      const id = `${link.key} ${pattern}`
      const other = rows.get(id)
      if (other === undefined) rows.set(id, { page, link, pattern })
      else {
        if (other.link.isFromScript === true) other.link = link
        if (isEarlier(page, other.page, pattern)) other.page = page
      }
    }
  }
  return Array.from(rows.values(), (row) => heldRow(crawl, row))
}

function isEarlier(a: InFlightUrl, b: InFlightUrl, pattern: string): boolean {
  const [ofA, ofB] = [generationIn(pattern, a.trials), generationIn(pattern, b.trials)]
  return ofA < ofB || (ofA === ofB && a.depth < b.depth)
}

function heldRow(crawl: number, { page, link, pattern }: { page: InFlightUrl; link: FoundUrl; pattern: string }) {
  const { key } = link
  return {
    crawl,
    pattern,
    key,
    host: page.host,
    url_id: page.id,
    generation: generationIn(pattern, page.trials),
    has_pattern: hasPattern(link, pattern),
    url_hash: urlHash(link.url),
    found: encodeFoundUrls([link]),
  }
}

/** Patterns under which the visits of a commit hold links. Saves the lines of these pages. */
export async function reportHeldPatterns(
  tx: Queryable,
  crawl: number,
  visitsToRecord: VisitToRecord[],
): Promise<PatternReport[]> {
  const held = visitsToRecord.flatMap(({ url, visit: { traps } }) =>
    traps?.held ? [{ pattern: traps.held.pattern, trial: url.trials[0]?.pattern, lines: traps.lineHashes }] : [],
  )
  // The lines of a trial are added when it is evaluated.
  await addLines(
    tx,
    crawl,
    held.filter(({ pattern, trial }) => pattern !== trial),
  )
  return held.map(({ pattern }) => ({ pattern, state: PATTERN_STATE.suspected, visits: 0, fruitless: 0 }))
}
