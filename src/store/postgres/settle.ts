// Writes what became of visits: the attempts, the states of their urls, their links. What the links lead to is for
// follow.ts and discover.ts.

import type { VisitReport } from '../../ports/frontier.ts'
import { QUEUED, RETRIED, stateCode } from '../rows/codes.ts'
import { toLines } from '../rows/found-urls.ts'
import { type Changes, count } from './counters.ts'
import type { CrawlRow } from './crawl-rows.ts'
import { together } from './database.ts'
import { attemptsOf, type HeldUrl, type Settled } from './follow.ts'
import { insertion } from './insertion.ts'
import { plainOrNull, type Queryable } from './query.ts'
import type { Wanted } from './queues.ts'
import { type Moment, toStore } from './time.ts'

const VISITS = insertion('visits', {
  ...({ crawl: 'int', host: 'int', url_id: 'bigint', attempt: 'int', state: 'smallint', noindex: 'boolean' } as const),
  ...({ http_status: 'int', fetch_ms: 'int', content_length: 'bigint', visited_at: 'bigint' } as const),
  ...({ reason: 'text', content_hash: 'bytea', content_type: 'text', ip: 'text', title: 'text' } as const),
  ...({ redirect_to: 'text', canonical: 'text', cname: 'text' } as const),
})

const LINKS = insertion(
  'links',
  { crawl: 'int', host: 'int', url_id: 'bigint', targets: 'bytea' },
  'on conflict (crawl, host, url_id) do update set targets = excluded.targets',
)

const BEYOND = insertion(
  'beyond',
  { crawl: 'int', host: 'int', url_id: 'bigint', found: 'text' },
  'on conflict (crawl, host, url_id) do update set found = excluded.found',
)

/** A retry keeps the reason its url had. */
const FINISH = {
  name: 'urls_finish',
  text: `with outcomes as materialized (
      select $1::int as crawl, o.* from unnest($2::bigint[], $3::int[], $4::smallint[], $5::int[], $6::bigint[], $7::boolean[], $8::text[])
        as o (id, host, state, attempts, due_at, is_retry, reason)
    )
    update urls u set state = o.state, lease = null, attempts = o.attempts, due_at = o.due_at,
      reason = case when o.is_retry then u.reason else o.reason end
    from outcomes o where u.crawl = o.crawl and u.id = o.id and u.host = o.host`,
}

export interface SettleChanges {
  changes: Changes
  wanted: Wanted[]
}

/** `turned`: urls that were leased as pages and have been named as sitemaps in this very transaction. */
export async function settle(
  tx: Queryable,
  crawl: CrawlRow,
  settled: Settled[],
  { turned, moment }: { turned: ReadonlySet<number>; moment: Moment },
): Promise<SettleChanges> {
  const done: SettleChanges = { changes: {}, wanted: [] }
  if (settled.length === 0) return done
  const outcomes = settled.map((one) => outcomeOf(one, turned, moment))
  for (const outcome of outcomes) countOutcome(done, outcome, moment.store)
  const finish = [
    ...[outcomes.map(({ url }) => url.id), outcomes.map(({ url }) => url.host), outcomes.map(({ code }) => code)],
    ...[outcomes.map(({ attempts }) => attempts), outcomes.map(({ dueAt }) => dueAt)],
    ...[outcomes.map(({ state }) => state === 'retry'), outcomes.map(({ reason }) => reason)],
  ]
  const at = (url: HeldUrl) => ({ crawl: crawl.id, host: url.host, url_id: url.id })
  const ended = settled.filter(({ visit }) => visit.verdict.state !== 'retry')
  const links = ended.filter(({ linkKeys }) => linkKeys.length > 0)
  const beyond = ended.filter(({ isBeyond, visit }) => isBeyond && visit.found.length > 0)
  await together(
    VISITS.run(
      tx,
      settled.flatMap((one) => visitRow(crawl.id, one)),
    ),
    LINKS.run(
      tx,
      links.map(({ url, linkKeys }) => ({ ...at(url), targets: asBuffer(linkKeys) })),
    ),
    BEYOND.run(
      tx,
      beyond.map(({ url, visit }) => ({ ...at(url), found: toLines(visit.found) })),
    ),
    tx.query({ ...FINISH, values: [crawl.id, ...finish] }),
  )
  return done
}

interface Outcome {
  url: HeldUrl
  state: VisitReport['verdict']['state']
  code: number
  attempts: number
  dueAt: number
  reason: string | null
  /** Read as a page, and now to be read as a sitemap. */
  isReadAgain: boolean
}

function outcomeOf({ url, visit, isBeyond }: Settled, turned: ReadonlySet<number>, moment: Moment): Outcome {
  const { verdict } = visit
  const attempts = attemptsOf({ url, visit })
  if (verdict.state === 'retry') {
    const dueAt = Math.max(1, toStore(verdict.dueAt, moment))
    return { url, state: 'retry', code: QUEUED, attempts, dueAt, reason: null, isReadAgain: false }
  }
  const isOther = url.leasedKind === 'page' && (url.kind === 'sitemap' || turned.has(url.id))
  const isReadAgain = verdict.state === 'visited' && isOther
  const code = isReadAgain ? QUEUED : stateCode(verdict.state)
  const reason = isBeyond && verdict.state === 'redirected' ? 'too_many_redirects' : plainOrNull(verdict.reason)
  return { url, state: verdict.state, code, attempts, dueAt: 0, reason, isReadAgain }
}

function countOutcome(
  { changes, wanted }: SettleChanges,
  { url, state, dueAt, isReadAgain }: Outcome,
  now: number,
): void {
  count(changes, 'in_progress', -1)
  if (state === 'retry' || isReadAgain) {
    wanted.push({ host: url.host, rank: isReadAgain ? 1 : url.rank, dueAt: isReadAgain ? now : dueAt })
    return
  }
  count(changes, 'open', -1)
  count(changes, state)
  if (state === 'visited' && url.leasedKind === 'sitemap') count(changes, 'sitemaps')
}

function visitRow(crawl: number, { url, visit }: Settled) {
  const { verdict, facts } = visit
  if (facts === null) return []
  const row = {
    ...{ crawl, host: url.host, url_id: url.id, attempt: attemptsOf({ url, visit }) },
    state: verdict.state === 'retry' ? RETRIED : stateCode(verdict.state),
    noindex: facts.noindex,
    http_status: facts.httpStatus,
    fetch_ms: facts.fetchMs === null ? null : Math.round(facts.fetchMs),
    content_length: facts.contentLength,
    visited_at: Math.round(facts.visitedAt),
    reason: plainOrNull(verdict.reason),
    content_hash: facts.contentHash === null ? null : Buffer.from(facts.contentHash, 'hex'),
    content_type: plainOrNull(facts.contentType),
    ip: facts.ip,
    title: plainOrNull(facts.title),
    redirect_to: plainOrNull(facts.redirectTo),
    canonical: plainOrNull(facts.canonical),
    cname: plainOrNull(facts.cname),
  }
  return [row]
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
