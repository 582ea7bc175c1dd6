// Records the changes found by the visits of a commit, in its transaction. Only for recrawled crawls.

import {
  changedFacts,
  changeKind,
  destinationOf,
  isRepeatedChange,
  type LastSeen,
  mayBeChange,
} from '../../frontier/page-changes.ts'
import { versionExpiresAt } from '../../frontier/page-versions.ts'
import { stateCode } from '../encoding/state-codes.ts'
import { urlHash } from '../encoding/url-hash.ts'
import type { CachedCrawl } from '../frontier/postgres/crawl-state/crawl-cache.ts'
import { countAttempts, type VisitToRecord } from '../frontier/postgres/discovery/collect-discoveries.ts'
import { historyOf, type KnownRevisits } from '../frontier/postgres/recrawl/record-revisits.ts'
import { toVisitFinding } from '../frontier/revisit-row.ts'
import { bulkInsert } from '../postgres/bulk-insert.ts'
import { type Queryable, toPostgresText } from '../postgres/query.ts'
import { IS_OBSERVATION_SQL, toLastSeen } from './change-row.ts'

export interface CommittedVisits {
  /** Revisit data before these visits. */
  known: KnownRevisits
  /** The versions that the visits have added, by URL id. */
  pageIds: ReadonlyMap<number, number>
}

/** Visits are looked up before their own attempt. `is_new`: the URL was discovered after the first round. */
const LAST_SEEN = {
  name: 'changes_last_seen',
  text: `with wanted as materialized (
      select $1::int as crawl, w.* from unnest($2::bigint[], $3::int[], $4::int[], $5::bigint[]) as w (id, host, attempt, url_hash)
    )
    select w.id, l.*, u.first_seen_at >= r.first_round_at as is_new, (
        select max(p.id) from pages p
          join visits x on x.crawl = p.crawl and x.host = p.host and x.url_id = p.url_id and x.attempt = p.attempt
        where p.url_hash = w.url_hash and p.crawl = w.crawl and p.url_id = w.id and p.attempt < w.attempt
          and x.state = ${stateCode('visited')}) as last_page
    from wanted w join urls u on u.crawl = w.crawl and u.id = w.id and u.host = w.host
      left join recrawls r on r.crawl = w.crawl
      left join lateral (
        select v.state, v.title, v.http_status, v.redirect_to, v.canonical, v.noindex from visits v
        where v.crawl = w.crawl and v.host = w.host and v.url_id = w.id and v.attempt < w.attempt and ${IS_OBSERVATION_SQL}
        order by v.attempt desc limit 1) l on true`,
}

const FIRST_ROUND = { name: 'changes_first_round', text: 'select first_round_at from recrawls where crawl = $1' }

async function hasEndedFirstRound(tx: Queryable, crawl: number): Promise<boolean> {
  const [row] = (await tx.query({ ...FIRST_ROUND, values: [crawl] })).rows
  return row !== undefined && row['first_round_at'] !== null
}

const CHANGES = bulkInsert('changes', {
  crawl: 'int',
  host: 'int',
  url_id: 'bigint',
  url_hash: 'bigint',
  kind: 'text',
  at: 'bigint',
  expires_at: 'bigint',
  page: 'bigint',
  previous_page: 'bigint',
  facts: 'text',
  is_repeated: 'boolean',
  due_at: 'bigint',
})

export async function recordChanges(
  tx: Queryable,
  crawl: CachedCrawl,
  visitsToRecord: VisitToRecord[],
  { known, pageIds }: CommittedVisits,
): Promise<void> {
  const possible = visitsToRecord.flatMap(({ url, visit }) => {
    const end = toVisitFinding(visit)
    const before = historyOf(known, url.id)
    const { facts } = visit
    if (end === null || facts === null || url.leasedKind !== 'page' || !mayBeChange(before, end)) return []
    const attempt = countAttempts({ url, visit })
    return [{ url, facts, before, attempt, hash: String(urlHash(url.url)), destination: destinationOf(end) }]
  })
  if (possible.length === 0) return
  // In the first round, nearly all visits are first visits.
  const isFirst = ({ before }: (typeof possible)[number]) => before === null
  const hasNew = possible.some(isFirst) && (await hasEndedFirstRound(tx, crawl.id))
  const candidates = hasNew ? possible : possible.filter((one) => !isFirst(one))
  if (candidates.length === 0) return
  const values = [
    candidates.map(({ url }) => url.id),
    candidates.map(({ url }) => url.host),
    candidates.map(({ attempt }) => attempt),
    candidates.map(({ hash }) => hash),
  ]
  const { rows } = await tx.query({ ...LAST_SEEN, values: [crawl.id, ...values] })
  const byUrl = new Map(rows.map((row) => [Number(row['id']), row]))
  const changes = candidates.flatMap(({ url, facts, before, hash, destination }) => {
    const row = byUrl.get(url.id)
    // A page that was a requisite has been seen, but has no history.
    const isSeen = before !== null && row !== undefined && row['state'] !== null
    const last: LastSeen | null = isSeen ? toLastSeen(row) : null
    const kind = changeKind(last, destination, row?.['is_new'] === true)
    if (kind === null) return []
    const at = Math.round(facts.visitedAt)
    const change = {
      crawl: crawl.id,
      host: url.host,
      url_id: url.id,
      url_hash: hash,
      kind,
      at,
      expires_at: versionExpiresAt(crawl.settings, at),
      page: pageIds.get(url.id) ?? null,
      previous_page: last?.pageId ?? null,
      facts: toPostgresText(JSON.stringify(last === null ? {} : changedFacts(last.facts, facts))),
      is_repeated: isRepeatedChange(before),
      due_at: 0,
    }
    return [change]
  })
  await CHANGES.run(tx, changes)
}
