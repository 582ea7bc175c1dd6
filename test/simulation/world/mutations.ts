// Changes of the code that break a promise, each in one place. A simulation that lets one of them pass is blind there.

export interface Mutation {
  name: string
  file: string
  /** Must stand in the file exactly once. */
  from: string
  to: string
}

const FRONTIER = 'src/store/sqlite/frontier.ts'
const GRANTS = 'src/store/sqlite/grants.ts'
const LEASES = 'src/store/sqlite/leases.ts'
const HOSTS = 'src/store/sqlite/hosts.ts'
const DISCOVER = 'src/store/sqlite/discover.ts'
const EXCLUDE = 'src/store/sqlite/exclude-queued.ts'
const STEERING = 'src/store/sqlite/steering.ts'

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
    to: 'this.#handBack(lease.token, now)',
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
    file: 'src/store/sqlite/take.ts',
    from: 'if (this.#leases.urlInFlight(id) !== undefined) {',
    to: 'if (this.#leases.urlInFlight(-id) !== undefined) {',
  },
  { name: 'leased slots are not counted', file: GRANTS, from: 'queue.host.busy += slots', to: '' },
  {
    name: 'a host with a gap is shared',
    file: GRANTS,
    from: 'if (isExclusive(crawl.settings, queue.host)) return queue.host.busy === 0 ? perHost : 0',
    to: '',
  },
  {
    name: 'a host that refuses everything is given up at once',
    file: 'src/engine/politeness/health.ts',
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
    file: HOSTS,
    from: 'return askedLately ? Math.max(believed, this.#openedAt + gapMs) : nextAt',
    to: 'return nextAt',
  },
  {
    name: 'a restart forgets who was asked and not told of',
    file: 'src/store/sqlite/active-crawl.ts',
    from: 'if (host.nextAt === 0) this.#hosts.holdBack(host, crawl.settings.delayMs)',
    to: '',
  },
  {
    name: 'a lapse forgets the gap',
    file: FRONTIER,
    from: 'if (host !== undefined) hosts.holdBack(host, delayMs, now)',
    to: '',
  },
  {
    name: 'a worker trusts a lease for longer than it takes to be lost',
    file: 'src/engine/crawl/renewal.ts',
    from: 'Math.min(leaseMs, SILENT_MS)',
    to: 'Math.max(leaseMs, SILENT_MS)',
  },
  {
    name: 'what a lost worker holds stays with it',
    file: FRONTIER,
    from: 'ofProcess(process).filter(({ renewedAt }) => renewedAt <= since)',
    to: 'ofProcess(process).filter(() => since < 0)',
  },
  {
    name: 'a thread that renews loses its leases with its process',
    file: FRONTIER,
    from: 'ofProcess(process).filter(({ renewedAt }) => renewedAt <= since)',
    to: 'ofProcess(process)',
  },
  {
    name: 'of two reports of a host the earlier time counts',
    file: 'src/store/rows/latest-reports.ts',
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
    file: 'src/store/sqlite/active-crawl.ts',
    from: "crawl.status === 'running' && crawl.open === 0",
    to: "crawl.status === 'running' && crawl.open <= 1",
  },
  {
    name: 'a crawl closes while urls are in flight',
    file: FRONTIER,
    from: 'if (inFlight === 0) this.#closeSome(crawl, now)',
    to: 'this.#closeSome(crawl, now)',
  },
  {
    name: 'urls in flight do not count towards max_pages',
    file: FRONTIER,
    from: 'maxPages - pagesOf(crawl) - inFlight',
    to: 'maxPages - pagesOf(crawl)',
  },
  {
    name: 'a url found again counts as new',
    file: DISCOVER,
    from: 'on conflict (crawl, key) do nothing',
    to: 'on conflict (crawl, key) do update set url = excluded.url',
  },
  {
    name: 'depths are not lowered',
    file: DISCOVER,
    from: 'return way.depth < known.depth || (way.depth === known.depth && way.hops < known.hops)',
    to: 'return false',
  },
  {
    name: 'a worker trusts a lease that may have lapsed',
    file: 'src/engine/crawl/host-work.ts',
    from: '!this.isMute(now) && now < this.startBefore &&',
    to: '!this.isMute(now) &&',
  },
  {
    name: 'a worker hands back hosts that it is asking',
    file: 'src/engine/crawl/outbox.ts',
    from: 'if (work.inFlight === 0) this.#batch.release',
    to: 'this.#batch.release',
  },
  {
    name: 'a worker remembers links that did not count',
    file: 'src/engine/crawl/loop.ts',
    from: 'this.#parts.admit.startOver()',
    to: '',
  },
  {
    name: 'a worker does not wait for a delay that it just learnt of',
    file: 'src/engine/crawl/host-work.ts',
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
    from: 'crawl.open -= rows.length',
    to: '',
  },
  {
    name: 'a retry that is excluded is still waited for',
    file: EXCLUDE,
    from: 'if (isWaiting === 1) queue.waiting -= 1',
    to: '',
  },
  {
    name: 'what comes back of a blocked host stays in the queue',
    file: FRONTIER,
    from: 'this.#parts.exclude.blocked(crawl, now)\n    const inFlight',
    to: 'const inFlight',
  },
  {
    name: 'a new url of a blocked host is counted as open',
    file: DISCOVER,
    from: 'crawl.ended.excluded += 1\n    return true',
    to: 'crawl.open += 1\n    return true',
  },
  {
    name: 'a restart forgets which hosts are blocked',
    file: 'src/store/sqlite/active-crawl.ts',
    from: "blocked: new Set(this.#blocked.all(Number(row['id'])).map(({ host }) => Number(host)))",
    to: 'blocked: new Set<number>()',
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
    from: 'crawl.ended[was] -= 1',
    to: '',
  },
  {
    name: 'a higher limit of depth lets in nothing that lay beyond it',
    file: STEERING,
    from: 'crawl.deepenedTo = 0',
    to: '',
  },
  {
    name: 'a higher limit of depth lets in nothing that had ended',
    file: STEERING,
    from: 'this.#queueAgain(crawl, this.#letInDeep.all(crawl.rowId, maxDepth), now)',
    to: '',
  },
  {
    name: 'a url that is too deep is handed out',
    file: 'src/store/sqlite/take.ts',
    from: 'if (depth > want.maxDepth) {',
    to: 'if (depth > want.maxDepth + 9) {',
  },
  {
    name: 'a crawl is removed while urls are in flight',
    file: STEERING,
    from: 'leases.inFlight(crawl.rowId) > 0',
    to: 'leases.inFlight(crawl.rowId) < 0',
  },
  {
    name: 'removing a crawl takes the urls of others',
    file: 'src/store/sqlite/remove-crawl.ts',
    from: 'from urls indexed by urls_key where crawl = ? limit',
    to: 'from urls where crawl >= ? - 1 limit',
  },
]
