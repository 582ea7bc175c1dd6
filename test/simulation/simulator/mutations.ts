// Changes of the code that break a promise, each in one place. A simulation that lets one of them pass is blind there.

export interface Mutation {
  name: string
  file: string
  /** Must stand in the file exactly once. */
  from: string
  to: string
}

const FRONTIER = 'src/store/frontier/sqlite/frontier.ts'
const GRANTS = 'src/store/frontier/sqlite/claim/grant-leases.ts'
const LEASES = 'src/store/frontier/sqlite/leases.ts'
const HOSTS = 'src/store/frontier/sqlite/hosts.ts'
const DISCOVER = 'src/store/frontier/sqlite/discovery/discover.ts'
const EXCLUDE = 'src/store/frontier/sqlite/crawl-state/exclude-queued.ts'
const STEERING = 'src/store/crawls/sqlite-control.ts'

export const MUTATIONS: Mutation[] = [
  {
    name: 'a report is never late',
    file: FRONTIER,
    from: 'batch.visits.filter((visit) => !this.#isHeld(crawl, visit)).length',
    to: '0',
  },
  {
    name: 'a fenced lease still reports',
    file: FRONTIER,
    from: 'lease !== undefined && !lease.isFenced && lease.crawl',
    to: 'lease !== undefined && lease.crawl',
  },
  {
    name: 'a late report fences no other lease',
    file: FRONTIER,
    from: 'lease.isFenced = true',
    to: 'lease.isFenced = false',
  },
  {
    name: 'a late report frees the hosts of its worker at once',
    file: FRONTIER,
    from: 'lease.isFenced = true',
    to: 'this.#dependencies.leaseGranter.requeueLease(lease.token, now)',
  },
  { name: 'late reports are not counted', file: FRONTIER, from: 'crawl.lateReports += late', to: '' },
  { name: 'leases do not lapse', file: LEASES, from: 'if (lease.expiresAt <= now) late.push(lease)', to: '' },
  {
    name: 'renewing does nothing',
    file: LEASES,
    from: 'lease.expiresAt = now + this.#durationMs\n    return true',
    to: 'return true',
  },
  { name: 'a fenced lease is renewed', file: LEASES, from: '|| lease.isFenced) return false', to: ') return false' },
  { name: 'tokens are given twice', file: LEASES, from: 'this.#lastToken += 1', to: 'this.#lastToken += 0' },
  { name: 'released urls are not queued again', file: GRANTS, from: 'queue.free += 1', to: '' },
  {
    name: 'urls in flight are handed out',
    file: 'src/store/frontier/sqlite/claim/claim-urls.ts',
    from: 'if (this.#leases.urlInFlight(id) !== undefined) {',
    to: 'if (this.#leases.urlInFlight(-id) !== undefined) {',
  },
  { name: 'leased slots are not counted', file: GRANTS, from: 'queue.host.leasedSlots += slots', to: '' },
  {
    name: 'a host with a gap is shared',
    file: 'src/frontier/host-slots.ts',
    from: 'isExclusive && leased > 0 ? 0 : Math.max(0, perHost - leased)',
    to: 'Math.max(0, perHost - leased)',
  },
  {
    name: 'a host that refuses everything is given up at once',
    file: 'src/engine/politeness/host-health.ts',
    from: 'const isDown = isRefusingAll && isAlone && now >= giveUpAt',
    to: 'const isDown = isRefusingAll && isAlone',
  },
  {
    name: 'the pace of a host is not recorded',
    file: HOSTS,
    from: 'host.nextAt = Math.max(host.nextAt, Math.round(report.nextAt))',
    to: '',
  },
  {
    name: 'a restart forgets the gap',
    file: 'src/frontier/gap.ts',
    from: 'if (nextAt <= restartedAt - gapMs - RECENT_MS) return nextAt',
    to: 'return nextAt',
  },
  {
    name: 'a restart forgets who was asked and not told of',
    file: 'src/store/frontier/sqlite/crawl-state/active-crawls.ts',
    from: 'if (host.nextAt === 0) this.#hosts.delayAfterLoss(host, crawl.settings.delayMs)',
    to: '',
  },
  {
    name: 'a lapse forgets the gap',
    file: FRONTIER,
    from: 'if (host !== undefined) hosts.delayAfterLoss(host, delayMs, now)',
    to: '',
  },
  {
    name: 'a worker trusts a lease for longer than it takes to be lost',
    file: 'src/engine/crawl/loop/lease-renewal.ts',
    from: 'Math.min(leaseMs, HEARTBEAT_TIMEOUT_MS)',
    to: 'Math.max(leaseMs, HEARTBEAT_TIMEOUT_MS)',
  },
  {
    name: 'what a lost worker holds stays with it',
    file: FRONTIER,
    from: 'listByProcess(process).filter(({ renewedAt }) => renewedAt <= since)',
    to: 'listByProcess(process).filter(() => since < 0)',
  },
  {
    name: 'a thread that renews loses its leases with its process',
    file: FRONTIER,
    from: 'listByProcess(process).filter(({ renewedAt }) => renewedAt <= since)',
    to: 'listByProcess(process)',
  },
  {
    name: 'of two reports of a host the earlier time counts',
    file: 'src/frontier/latest-host-reports.ts',
    from: 'report.nextAt >= known.nextAt',
    to: 'report.nextAt < known.nextAt',
  },
  {
    name: 'counters are not written',
    file: FRONTIER,
    from: 'crawl.lateReports += late\n      crawls.save(crawl, now)',
    to: 'crawl.lateReports += late',
  },
  {
    name: 'a crawl completes while its last url is in flight',
    file: 'src/store/frontier/sqlite/crawl-state/active-crawls.ts',
    from: "crawl.status === 'running' && crawl.openCount === 0",
    to: "crawl.status === 'running' && crawl.openCount <= 1",
  },
  {
    name: 'a crawl closes while urls are in flight',
    file: FRONTIER,
    from: 'if (inFlight === 0) this.#closeBatch(crawl, now)',
    to: 'this.#closeBatch(crawl, now)',
  },
  {
    name: 'urls in flight do not count towards max_pages',
    file: 'src/frontier/limits.ts',
    from: 'maxPages - pages - inFlight',
    to: 'maxPages - pages',
  },
  {
    name: 'a url found again counts as new',
    file: DISCOVER,
    from: 'on conflict (crawl, key) do nothing',
    to: 'on conflict (crawl, key) do update set url = excluded.url',
  },
  {
    name: 'depths are not lowered',
    file: 'src/frontier/shortest-path.ts',
    from: 'return path.depth < known.depth || (path.depth === known.depth && path.hops < known.hops)',
    to: 'return false',
  },
  {
    name: 'a worker trusts a lease that may have lapsed',
    file: 'src/engine/crawl/hosts/leased-host.ts',
    from: '!this.isHanging(now) && now < this.startBefore &&',
    to: '!this.isHanging(now) &&',
  },
  {
    name: 'a worker hands back hosts that it is asking',
    file: 'src/engine/crawl/report/commit-buffer.ts',
    from: 'if (work.inFlight === 0) this.#batch.release',
    to: 'this.#batch.release',
  },
  {
    name: 'a worker remembers links that did not count',
    file: 'src/engine/crawl/loop/crawl-loop.ts',
    from: 'this.#dependencies.linkAdmission.reset()',
    to: '',
  },
  {
    name: 'a worker does not wait for a delay that it just learnt of',
    file: 'src/engine/crawl/hosts/leased-host.ts',
    from: 'Math.floor(crawlDelayMs) > this.lease.gapMs',
    to: 'false',
  },
  {
    name: 'a paused crawl hands out leases',
    file: FRONTIER,
    from: "if (crawl.status !== 'running') return",
    to: "if (crawl.status === 'completed') return",
  },
  {
    name: 'urls in flight are excluded with their host',
    file: EXCLUDE,
    from: 'and id not in (select value from json_each(?))',
    to: 'and ? is not null',
  },
  {
    name: 'urls of a blocked host that end are not counted',
    file: EXCLUDE,
    from: 'crawl.openCount -= rows.length',
    to: '',
  },
  {
    name: 'a retry that is excluded is still waited for',
    file: EXCLUDE,
    from: 'if (isWaiting === 1) queue.retries -= 1',
    to: '',
  },
  {
    name: 'what comes back of a blocked host stays in the queue',
    file: FRONTIER,
    from: 'this.#dependencies.exclusions.excludeBlocked(crawl, now)\n    const inFlight',
    to: 'const inFlight',
  },
  {
    name: 'a new url of a blocked host is counted as open',
    file: DISCOVER,
    from: 'crawl.endedCounts.excluded += 1\n    return true',
    to: 'crawl.openCount += 1\n    return true',
  },
  {
    name: 'a restart forgets which hosts are blocked',
    file: 'src/store/frontier/sqlite/crawl-state/active-crawls.ts',
    from: "blockedHosts: new Set(this.#blocked.all(Number(row['id'])).map(({ host }) => Number(host)))",
    to: 'blockedHosts: new Set<number>()',
  },
  {
    name: 'what a released host had is not queued again',
    file: STEERING,
    from: 'const rows = this.#release.all(crawl.rowId, id)',
    to: 'const rows: Record<string, unknown>[] = []',
  },
  {
    name: 'a url that is queued again is not counted',
    file: DISCOVER,
    from: 'crawl.endedCounts[was] -= 1',
    to: '',
  },
  {
    name: 'a higher limit of depth lets in nothing that lay beyond it',
    file: STEERING,
    from: 'crawl.deferredCursor = 0',
    to: '',
  },
  {
    name: 'a higher limit of depth lets in nothing that had ended',
    file: STEERING,
    from: 'this.#requeue(crawl, this.#requeueTooDeep.all(crawl.rowId, maxDepth), now)',
    to: '',
  },
  {
    name: 'a url that is too deep is handed out',
    file: 'src/store/frontier/sqlite/claim/claim-urls.ts',
    from: 'if (depth > want.maxDepth) {',
    to: 'if (depth > want.maxDepth + 9) {',
  },
  {
    name: 'a crawl is removed while urls are in flight',
    file: STEERING,
    from: 'leases.countInFlight(crawl.rowId) > 0',
    to: 'leases.countInFlight(crawl.rowId) < 0',
  },
  {
    name: 'removing a crawl takes the urls of others',
    file: 'src/store/crawls/sqlite-remove-crawl.ts',
    from: 'from urls indexed by urls_key where crawl = ? limit',
    to: 'from urls where crawl >= ? - 1 limit',
  },
]
