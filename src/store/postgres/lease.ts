// One question for work: takes back what has run out, grants what is due, and, where there is nothing, sees whether the
// crawl is at its end.

import type { LeaseGrant, LeaseRequest } from '../../ports/frontier.ts'
import type { CrawlStatus } from '../../ports/state.ts'
import type { Blocks } from './blocks.ts'
import { closeSome } from './close-some.ts'
import { addToCounters } from './counters.ts'
import { type CrawlRow, type CrawlRows, crawlNotFound } from './crawl-rows.ts'
import type { Database } from './database.ts'
import { type DetourParts, passOn } from './detours.ts'
import { excludeBlocked } from './exclude-blocked.ts'
import { type Granted, grant } from './grant.ts'
import { judgeHeld } from './held-links.ts'
import type { PatternBoard, PatternNews } from './patterns.ts'
import type { Queryable } from './query.ts'
import { SHARERS, shareOf } from './share.ts'
import { endIfDone } from './standing.ts'
import { takeBackExpired, takeBackTokens } from './take-back.ts'
import { type Moment, type Time, toWorker } from './time.ts'

export interface LeaseParts extends DetourParts {
  db: Database
  time: Time
  blocks: Blocks
  random: () => number
  leaseMs: number
  patterns: PatternBoard
  crawls: CrawlRows
}

export interface LeaseWork {
  crawl: CrawlRow
  worker: string
  request: LeaseRequest
  hostsFor: (urls: number) => number
}

/** What the tables say; what was heard meanwhile is for others to add. */
type Answer = Omit<LeaseGrant, 'heard'>

const LOOK = {
  name: 'lease_look',
  text: `with t as materialized (select now_ms($2) as now)
    select t.now, c.status, c.closing, c.version, n.open, n.in_progress,
      exists (select 1 from detours d where d.crawl = $1) as has_detours,
      exists (select 1 from held_links h where h.crawl = $1) as has_held,
      exists (select 1 from leases l where l.expires_at <= t.now) as has_expired,
      ${SHARERS} as sharers,
      array(select r from generate_series(1, 10) r
        where exists (select 1 from queues q where q.crawl = $1 and q.rank = r and q.due_at <= t.now)) as ranks
    from t cross join crawls c cross join lateral (
      select coalesce(sum(open), 0)::bigint as open, coalesce(sum(in_progress), 0)::bigint as in_progress
      from counters where crawl = $1) n
    where c.id = $1`,
}

/** A host that somebody else was just looking at is looked at again after so long. */
const AGAIN_MS = 100

/** Hosts that are due but kept for another worker or crawl count from when they can be had. */
const NEXT_DUE = {
  name: 'lease_next_due',
  text: `select min(d.at) as at from generate_series(1, 10) r cross join lateral (
      (select q.due_at as at from queues q where q.crawl = $1 and q.rank = r and q.due_at > $2 order by q.due_at limit 1)
      union all
      (select min(case
          when h.kept_until <= $2 or h.kept_crawl = $1 or (h.kept_crawl is null and h.kept_for = $3) then $2 + ${AGAIN_MS}
          else h.kept_until end) from
        (select host from queues where crawl = $1 and rank = r and due_at <= $2 order by due_at limit 100) q
        join hosts h on h.id = q.host)
    ) d`,
}

interface Look {
  moment: Moment
  status: CrawlStatus
  closing: string | null
  open: number
  inProgress: number
  hasDetours: boolean
  hasHeld: boolean
  hasExpired: boolean
  ranks: number[]
  version: number
  /** Workers that share the crawl. */
  sharers: number
}

export async function leaseUrls(parts: LeaseParts, work: LeaseWork): Promise<Answer> {
  const tokens: number[] = []
  return parts.db.persist(async (tries) => {
    // What was granted in an attempt whose end is not known would lie idle until it runs out.
    if (tries > 0 && tokens.length > 0) {
      await giveUp(parts, work, tokens)
      tokens.length = 0
    }
    return attempt(parts, work, tokens)
  })
}

/** The server may still be at it: then it has locked the row of the worker, and to touch that is to wait for the end. */
async function giveUp({ db, time }: LeaseParts, { crawl, worker }: LeaseWork, tokens: number[]): Promise<void> {
  await db.transaction((tx) => addToCounters(tx, { crawl: crawl.id, worker }, {}))
  await takeBackTokens(db, tokens, { worker, now: await time.now(db.pool) })
}

async function attempt(parts: LeaseParts, asked: LeaseWork, tokens: number[]): Promise<Answer> {
  const { worker, request } = asked
  const { db, crawls } = parts
  let seen = await look(parts, asked.crawl, worker)
  if (seen.hasExpired) {
    await takeBackExpired(db, { worker, now: seen.moment.store })
    seen = await look(parts, asked.crawl, worker)
  }
  const isNews = seen.version !== asked.crawl.version
  const crawl = isNews ? await crawls.reload(asked.crawl.uuid) : asked.crawl
  const work = { ...asked, crawl }
  if (crawl.blocked.size > 0 && (await excludeBlocked(parts, crawl, worker)) > 0)
    seen = await look(parts, crawl, worker)
  if (seen.status === 'running' && seen.closing === null && seen.open === 0 && seen.hasHeld) {
    if (seen.hasDetours) await passOn(parts, crawl, worker)
    await judgeHeld(parts, crawl, worker)
    seen = await look(parts, crawl, worker)
  }
  const news = await parts.patterns.since(db.pool, { crawl: crawl.id, worker }, request.patternsVersion)
  if (seen.status !== 'running') return answer(seen, [], null, news)
  if (seen.closing !== null) return close(parts, work, seen, news)
  const granted = await grantSome(parts, work, seen, tokens)
  if (granted.leases.length > 0) return answer(seen, granted.leases, null, news)
  const { status, closing } = await endIfAtEnd(parts, work, seen, granted)
  const nextDueAt = granted.isFull ? null : await nextDue(db.pool, crawl.id, worker, seen.moment)
  return answer({ status, closing }, [], nextDueAt, news)
}

function answer(
  { status, closing }: { status: CrawlStatus; closing: string | null },
  leases: LeaseGrant['leases'],
  nextDueAt: number | null,
  news: PatternNews,
): Answer {
  return { leases, status, closing: closing !== null, nextDueAt, ...news }
}

async function look({ db, time }: LeaseParts, crawl: CrawlRow, worker: string): Promise<Look> {
  const [row] = (await db.pool.query({ ...LOOK, values: [crawl.id, time.given, worker] })).rows
  if (row === undefined) throw crawlNotFound(crawl.uuid)
  return {
    moment: { store: Number(row['now']), worker: time.worker() },
    status: row['status'] as CrawlStatus,
    closing: row['closing'] as string | null,
    open: Number(row['open']),
    inProgress: Number(row['in_progress']),
    hasDetours: row['has_detours'] === true,
    hasHeld: row['has_held'] === true,
    hasExpired: row['has_expired'] === true,
    ranks: row['ranks'] as number[],
    version: Number(row['version']),
    sharers: Number(row['sharers']),
  }
}

async function grantSome(parts: LeaseParts, work: LeaseWork, seen: Look, tokens: number[]): Promise<Granted> {
  const { db, blocks, random, leaseMs } = parts
  const { request } = work
  const hasWork = seen.ranks.length > 0 || request.topUp.length > 0
  if (!hasWork || request.maxUrls <= 0) return { leases: [], isFull: false, tooDeep: 0 }
  const numbers = await blocks.take('token', request.maxHosts)
  const nextToken = () => {
    const token = numbers.next()
    tokens.push(token)
    return token
  }
  try {
    const { ranks, moment, sharers } = seen
    const { crawl, worker } = work
    const share = await shareOf(db.pool, { crawl: crawl.id, worker, sharers }, request.maxHosts)
    return await db.transaction((tx) => grant(tx, { ...work, leaseMs, ranks, share, nextToken, random, moment }))
  } finally {
    numbers.giveBack()
  }
}

/** A crawl that closes helps itself to its end whenever it is asked for work. */
async function close(parts: LeaseParts, work: LeaseWork, seen: Look, news: PatternNews): Promise<Answer> {
  const { crawl, worker } = work
  if (seen.inProgress > 0 || seen.closing === null) return answer(seen, [], null, news)
  if (seen.hasDetours) await passOn(parts, crawl, worker)
  const closing = { worker, reason: seen.closing, now: seen.moment.store }
  const standing = await parts.db.transaction((tx) => closeSome(tx, crawl, closing))
  return answer(standing, [], seen.moment.worker, news)
}

/** The net under every other way to the end: nobody who asks in vain leaves a crawl that is done. */
async function endIfAtEnd({ db, ...parts }: LeaseParts, { crawl, worker }: LeaseWork, seen: Look, granted: Granted) {
  if (seen.hasDetours) await passOn({ db, ...parts }, crawl, worker)
  const open = seen.open - granted.tooDeep
  if (open > 0 && !seen.hasDetours && !(granted.isFull && seen.inProgress === 0)) return seen
  return db.transaction((tx) => endIfDone(tx, crawl, seen.moment.store))
}

async function nextDue(db: Queryable, crawl: number, worker: string, moment: Moment): Promise<number | null> {
  const [row] = (await db.query({ ...NEXT_DUE, values: [crawl, moment.store, worker] })).rows
  return row?.['at'] == null ? null : toWorker(Number(row['at']), moment)
}
