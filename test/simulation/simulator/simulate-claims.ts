// Many workers claim many hosts on a real store, in virtual time and without requests: is every host that is due served
// in turn, does every worker get its share, and does a claim cost the same however many hosts there are?

import { TEST_SETTINGS, type TestStore } from '../../../src/ports/contracts/testing/store-harness.ts'
import type { Lease } from '../../../src/ports/leases.ts'
import type { FoundUrl, VisitReport } from '../../../src/ports/visits.ts'
import { TimeHeap } from '../../../src/store/frontier/sqlite/claim/time-heap.ts'
import { threadCpuMs } from '../../testing/cpu-time.ts'

export interface ClaimPlan {
  hosts: number
  workers: number
  /** The run ends after this many visits, or when all URLs are visited. */
  maxVisits: number
}

export interface ClaimFigures {
  hosts: number
  visits: number
  claims: number
  /** CPU time of the calling thread: of lease requests per leased host, and of commits per visit. */
  claimUs: number
  commitUs: number
  /** Longest time between the moment at which a host was due and its lease. */
  longestWaitMs: number
  /** A host was leased before another that had been due for this much longer. */
  overtakenByMs: number
  /** Visits of the workers with the fewest and the most, as parts of the mean. */
  leastShare: number
  mostShare: number
  virtualMs: number
}

/** A host is visited, released, and visited again after its gap. */
const URLS_PER_HOST = 2
const GAP_MS = 1000
/** A worker has its hosts for this long, then reports them and claims the next ones. */
const FETCH_MS = 200
const HOSTS_PER_CLAIM = 10
const IDLE_MS = 500
const FOUND_PER_COMMIT = 5000

interface Worker {
  threadId: string
  leases: Lease[]
  visits: number
}

export async function simulateClaims(
  store: TestStore,
  { hosts, workers, maxVisits }: ClaimPlan,
): Promise<ClaimFigures> {
  const { clock, frontier } = store
  const settings = { ...TEST_SETTINGS, delayMs: GAP_MS, perHost: 1 }
  const { id: crawlId } = await store.crawls.create({ seeds: [urlOf(0, 0)], settings, keySeed: 1 })
  await addHosts(store, crawlId, hosts)

  const startedAt = clock.now()
  const dueSince = new Map<number, number>()
  const events = new TimeHeap<Worker>()
  const all: Worker[] = Array.from({ length: workers }, (_, i) => ({ threadId: `w${i}-0`, leases: [], visits: 0 }))
  // Workers start one after the other, within the time of a request.
  all.forEach((worker, i) => {
    events.push(startedAt + Math.floor((i * FETCH_MS) / workers), worker)
  })
  const cpuMs = { claim: 0, commit: 0 }
  let [claims, leased, visits, longestWaitMs, overtakenByMs, latestDue] = [0, 0, 0, 0, 0, startedAt]

  const report = async (worker: Worker) => {
    const now = clock.now()
    const batch = makeBatch(worker, crawlId, now)
    const start = threadCpuMs()
    const { late } = await frontier.commit(batch)
    cpuMs.commit += threadCpuMs() - start
    if (late > 0) throw new Error(`${late} reports were late`)
    for (const { hostId } of worker.leases) dueSince.set(hostId, now + GAP_MS)
    visits += batch.visits.length
    worker.visits += batch.visits.length
    worker.leases = []
  }
  const claim = async (worker: Worker): Promise<boolean> => {
    const request = { crawlId, threadId: worker.threadId, slotsPerHost: 1, topUp: [], patternsVersion: 0 }
    const start = threadCpuMs()
    const { leases, status } = await frontier.lease({
      ...request,
      maxUrls: URLS_PER_HOST * HOSTS_PER_CLAIM,
      maxHosts: HOSTS_PER_CLAIM,
    })
    cpuMs.claim += threadCpuMs() - start
    claims += 1
    leased += leases.length
    worker.leases = leases
    const now = clock.now()
    for (const { hostId } of leases) {
      const since = dueSince.get(hostId) ?? startedAt
      longestWaitMs = Math.max(longestWaitMs, now - since)
      overtakenByMs = Math.max(overtakenByMs, latestDue - since)
      latestDue = Math.max(latestDue, since)
    }
    return status === 'running'
  }

  for (let isRunning = true; isRunning && visits < maxVisits; ) {
    const at = events.peekTime()
    if (at === null) break
    if (at > clock.now()) clock.advance(at - clock.now())
    for (let worker = events.popDue(clock.now()); worker !== undefined; worker = events.popDue(clock.now())) {
      if (worker.leases.length > 0) await report(worker)
      isRunning = await claim(worker)
      if (!isRunning || visits >= maxVisits) break
      events.push(clock.now() + (worker.leases.length > 0 ? FETCH_MS : IDLE_MS), worker)
    }
  }
  const counts = all.map((worker) => worker.visits)
  const mean = visits / workers
  return {
    hosts,
    visits,
    claims,
    claimUs: (1000 * cpuMs.claim) / leased,
    commitUs: (1000 * cpuMs.commit) / visits,
    longestWaitMs,
    overtakenByMs,
    leastShare: Math.min(...counts) / mean,
    mostShare: Math.max(...counts) / mean,
    virtualMs: clock.now() - startedAt,
  }
}

async function addHosts(store: TestStore, crawlId: string, hosts: number): Promise<void> {
  for (let url = 0; url < URLS_PER_HOST; url++) {
    for (let from = 0; from < hosts; from += FOUND_PER_COMMIT) {
      const found = Array.from({ length: Math.min(FOUND_PER_COMMIT, hosts - from) }, (_, i) => urlOf(from + i, url))
      await store.frontier.commit({ ...NOTHING, crawlId, threadId: 'w0-0', visits: [], found, hosts: [], release: [] })
    }
  }
}

const NOTHING = { linkKeys: new Uint8Array(0), rejected: {}, requests: {}, subresources: [], samples: [], bytes: 0 }

function makeBatch({ threadId, leases }: Worker, crawlId: string, now: number) {
  const visits = leases.flatMap(({ token, urls }) => urls.slice(0, 1).map(({ id }) => visitOf(token, id, now)))
  const hosts = leases.map(({ hostId, health }) => {
    return { hostId, nextAt: now + GAP_MS, responseMs: FETCH_MS, gapMs: GAP_MS, concurrencyLimit: null, health }
  })
  const release = leases.map(({ token }) => token)
  return { ...NOTHING, crawlId, threadId, visits, found: [], hosts, release }
}

function visitOf(token: number, urlId: number, visitedAt: number): VisitReport {
  const facts = { httpStatus: 200, contentType: 'text/html', contentLength: 1, contentHash: null, title: null }
  const directives = { redirectTo: null, canonical: null, noindex: false, nofollow: false }
  const request = { fetchMs: FETCH_MS, processingMs: null, ip: null, cname: null, proxy: null, visitedAt }
  return {
    token,
    urlId,
    outcome: { state: 'visited', reason: null },
    facts: { ...facts, ...directives, ...request },
    page: null,
    found: [],
    linkCount: 0,
    traps: null,
    freshness: null,
  }
}

function urlOf(host: number, path: number): FoundUrl {
  const name = `h${host}.test`
  const key = BigInt(host * URLS_PER_HOST + path + 1)
  return { url: `http://${name}/${path}`, host: name, key, kind: 'page', isRefresh: false, listing: null }
}

export const CLAIM_HEADER =
  '    hosts   visits  CPU us/host claimed  CPU us/visit reported  longest wait  overtaken by  least and most of a worker'

export function claimLine(figures: ClaimFigures): string {
  const { hosts, visits, claimUs, commitUs, longestWaitMs, overtakenByMs, leastShare, mostShare } = figures
  return [
    String(hosts).padStart(9),
    String(visits).padStart(8),
    claimUs.toFixed(1).padStart(20),
    commitUs.toFixed(1).padStart(22),
    `${(longestWaitMs / 1000).toFixed(1)} s`.padStart(13),
    `${(overtakenByMs / 1000).toFixed(1)} s`.padStart(13),
    `${(100 * leastShare).toFixed(0)}% to ${(100 * mostShare).toFixed(0)}% of the mean`.padStart(27),
  ].join(' ')
}

/** A released host is reserved for its thread for half a second, and threads ask at intervals. */
const MAX_OVERTAKEN_MS = 2000

/** Whether, with work for all of them, every worker has at least half and at most twice the mean. */
export function isFairTo({ hosts, overtakenByMs, leastShare, mostShare }: ClaimFigures, workers: number): boolean {
  const hasWorkForAll = hosts >= 2 * workers * HOSTS_PER_CLAIM
  return overtakenByMs <= MAX_OVERTAKEN_MS && (!hasWorkForAll || (leastShare > 0.5 && mostShare < 2))
}
