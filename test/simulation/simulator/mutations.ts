// Changes to the code that break a guarantee, each in one place. A simulation or contract that does not detect one of them
// has a blind spot.

import type { Mutation } from './mutation.ts'
import { REVISIT_MUTATIONS } from './revisit-mutations.ts'

const FRONTIER = 'src/store/frontier/sqlite/frontier.ts'
const GRANTS = 'src/store/frontier/sqlite/claim/grant-leases.ts'
const LEASES = 'src/store/frontier/sqlite/leases.ts'
const HOSTS = 'src/store/frontier/sqlite/hosts.ts'
const DISCOVER = 'src/store/frontier/sqlite/discovery/discover.ts'
const QUEUED_URL = 'src/store/frontier/sqlite/discovery/queued-url.ts'
const EXCLUDE = 'src/store/frontier/sqlite/crawl-state/exclude-queued.ts'
const CONTROL = 'src/store/crawls/sqlite-control.ts'

const HOST_SETTINGS = 'src/config/policies/host-settings.ts'

/** Rules of policies. */
const POLICY_MUTATIONS: Mutation[] = [
  {
    name: 'the rate of a policy is not kept',
    file: 'src/engine/crawl/hosts/host-pace.ts',
    from: 'this.#bucket?.take(now)',
    to: '',
  },
  {
    name: 'a bucket is full whenever a host is leased',
    file: 'src/engine/politeness/token-bucket.ts',
    from: 'from + this.#capacityMs - this.intervalMs',
    to: 'from',
  },
  {
    name: 'a rate does not outlive its lease',
    file: 'src/engine/crawl/hosts/host-pace.ts',
    from: 'Math.max(from + this.gapMs + jitterMs, this.#bucket?.nextAt ?? 0)',
    to: 'from + this.gapMs',
  },
  {
    name: 'a host with a rate is shared',
    file: HOST_SETTINGS,
    from: '(policy.rate !== null || policy.maxPages !== null)',
    to: 'policy.maxPages !== null',
  },
  {
    name: 'a policy does not lower the slots',
    file: HOST_SETTINGS,
    from: 'Math.min(settings.perHost, policy.perHost ?? settings.perHost)',
    to: 'settings.perHost',
  },
  {
    name: 'the delay of a policy is ignored',
    file: HOST_SETTINGS,
    from: "own === 'auto' ? ofPolicy : Math.max(own, ofPolicy)",
    to: 'own',
  },
  {
    name: 'URLs in flight do not count towards the maximum of their host',
    file: 'src/frontier/host-pages.ts',
    from: 'Math.max(0, missing - inFlight)',
    to: 'Math.max(0, missing)',
  },
  {
    name: 'a host with all its pages goes on',
    file: 'src/frontier/host-pages.ts',
    from: 'missing <= 0 && inFlight === 0',
    to: 'missing < 0 && inFlight === 0',
  },
  {
    name: 'the pages of a host are not counted',
    file: 'src/store/frontier/sqlite/record-visits.ts',
    from: '(hostPages.get(hostId) ?? 0) + 1',
    to: '(hostPages.get(hostId) ?? 0)',
  },
]

export const MUTATIONS: Mutation[] = [
  ...POLICY_MUTATIONS,
  ...REVISIT_MUTATIONS,
  {
    name: 'a report is never late',
    file: FRONTIER,
    from: 'batch.visits.filter((visit) => !this.#isLeaseActive(crawl, visit)).length',
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
  {
    name: 'late reports are not counted',
    file: FRONTIER,
    from: 'crawl.lateReports += late + (batch.lateReports ?? 0)',
    to: '',
  },
  { name: 'leases do not expire', file: LEASES, from: 'if (lease.expiresAt <= now) late.push(lease)', to: '' },
  {
    name: 'renewing does nothing',
    file: LEASES,
    from: 'lease.expiresAt = now + this.#durationMs\n    // The clock',
    to: '// The clock',
  },
  { name: 'a fenced lease is renewed', file: LEASES, from: '|| lease.isFenced) return false', to: ') return false' },
  { name: 'tokens are reused', file: LEASES, from: 'this.#lastToken += 1', to: 'this.#lastToken += 0' },
  { name: 'released URLs are not requeued', file: GRANTS, from: 'queue.claimable += 1', to: '' },
  {
    name: 'URLs in flight are leased again',
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
    name: 'the last request to a host is not recorded',
    file: HOSTS,
    from: 'host.nextAt = Math.max(host.nextAt, Math.round(report.nextAt))',
    to: '',
  },
  {
    name: 'a restart forgets the gap',
    file: 'src/frontier/next-request.ts',
    from: 'return nextAt > restartedAt - gapMs - RECENT_MS',
    to: 'return false',
  },
  {
    name: 'a restart forgets requests that were not reported',
    file: HOSTS,
    from: 'savedNextAt === 0 || isRecent',
    to: 'isRecent',
  },
  {
    name: 'an expiry forgets the gap',
    file: FRONTIER,
    from: 'if (host !== undefined) hosts.delayAfterLoss(host, settings, now)',
    to: '',
  },
  {
    name: 'a worker trusts a lease for longer than its heartbeat timeout',
    file: 'src/engine/crawl/loop/lease-renewal.ts',
    from: 'Math.min(leaseMs, HEARTBEAT_TIMEOUT_MS)',
    to: 'Math.max(leaseMs, HEARTBEAT_TIMEOUT_MS)',
  },
  {
    name: 'the leases of a lost worker are not requeued',
    file: FRONTIER,
    from: 'listByWorker(workerId).filter(({ renewedAt }) => renewedAt <= since)',
    to: 'listByWorker(workerId).filter(() => since < 0)',
  },
  {
    name: 'a thread that renews loses its leases with its process',
    file: FRONTIER,
    from: 'listByWorker(workerId).filter(({ renewedAt }) => renewedAt <= since)',
    to: 'listByWorker(workerId)',
  },
  {
    name: 'of two reports about a host the earlier time is recorded',
    file: 'src/frontier/latest-host-reports.ts',
    from: 'report.nextAt >= known.nextAt',
    to: 'report.nextAt < known.nextAt',
  },
  {
    name: 'counters are not written',
    file: FRONTIER,
    from: 'crawl.lateReports += late + (batch.lateReports ?? 0)\n      crawls.save(crawl, now)',
    to: 'crawl.lateReports += late + (batch.lateReports ?? 0)',
  },
  {
    name: 'a crawl completes while its last URL is in flight',
    file: 'src/store/frontier/sqlite/crawl-state/active-crawls.ts',
    from: 'const isIdle = crawl.openCount === 0',
    to: 'const isIdle = crawl.openCount <= 1',
  },
  {
    name: 'a crawl closes while URLs are in flight',
    file: FRONTIER,
    from: 'if (inFlight === 0) this.#closeBatch(crawl, now)',
    to: 'this.#closeBatch(crawl, now)',
  },
  {
    name: 'URLs in flight do not count towards max_pages',
    file: 'src/frontier/limits.ts',
    from: 'maxPages - pages - inFlight',
    to: 'maxPages - pages',
  },
  {
    name: 'a rediscovered URL counts as new',
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
    name: 'a worker trusts a lease that may have expired',
    file: 'src/engine/crawl/hosts/leased-host.ts',
    from: '!this.isHanging(now) && now < this.startDeadline && (',
    to: '!this.isHanging(now) && (',
  },
  {
    name: 'a worker releases hosts with requests in flight',
    file: 'src/engine/crawl/report/commit-buffer.ts',
    from: 'if (host.inFlight === 0) this.#batch.release',
    to: 'this.#batch.release',
  },
  {
    name: 'a worker remembers links whose commit failed',
    file: 'src/engine/crawl/loop/crawl-loop.ts',
    from: 'this.#dependencies.linkAdmission.reset()',
    to: '',
  },
  {
    name: 'a worker ignores a crawl delay that it just read',
    file: 'src/engine/crawl/hosts/host-pace.ts',
    from: 'Math.floor(crawlDelayMs) > this.#lease.gapMs',
    to: 'false',
  },
  {
    name: 'a paused crawl grants leases',
    file: FRONTIER,
    from: "if (crawl.status !== 'running') return",
    to: "if (crawl.status === 'completed') return",
  },
  {
    name: 'URLs in flight are excluded with their host',
    file: EXCLUDE,
    from: 'and u.id not in (select value from json_each(?))',
    to: 'and ? is not null',
  },
  {
    name: 'excluded URLs of a blocked host are not counted',
    file: EXCLUDE,
    from: 'crawl.openCount -= 1',
    to: '',
  },
  {
    name: 'the crawl waits for an excluded retry',
    file: 'src/store/frontier/sqlite/claim/host-schedule.ts',
    from: 'if (isDelayed) this.delayed -= 1',
    to: '',
  },
  {
    name: 'requeued URLs of a blocked host stay in the queue',
    file: FRONTIER,
    from: 'this.#dependencies.exclusions.excludeBlocked(crawl, now)\n    const excludedPages',
    to: 'const excludedPages',
  },
  {
    name: 'a new URL of a blocked host is counted as open',
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
    name: 'URLs of an unblocked host are not requeued',
    file: CONTROL,
    from: 'const rows = this.#release.all(crawl.rowId, id)',
    to: 'const rows: Record<string, unknown>[] = []',
  },
  {
    name: 'a requeued URL is not counted',
    file: QUEUED_URL,
    from: 'crawl.endedCounts[was] -= 1',
    to: '',
  },
  {
    name: 'a higher depth limit admits no deferred URLs',
    file: CONTROL,
    from: 'crawl.deferredCursor = 0',
    to: '',
  },
  {
    name: 'a higher depth limit admits no URLs that had ended',
    file: CONTROL,
    from: 'this.#requeue(crawl, this.#requeueTooDeep.all(crawl.rowId, maxDepth), now)',
    to: '',
  },
  {
    name: 'a URL beyond the depth limit is leased',
    file: 'src/store/frontier/sqlite/claim/claim-urls.ts',
    from: 'if (depth > want.maxDepth) {',
    to: 'if (depth > want.maxDepth + 9) {',
  },
  {
    name: 'a crawl is removed while URLs are in flight',
    file: CONTROL,
    from: 'leases.countInFlight(crawl.rowId) > 0',
    to: 'leases.countInFlight(crawl.rowId) < 0',
  },
  {
    name: 'removing a crawl removes URLs of others',
    file: 'src/store/crawls/sqlite-remove-crawl.ts',
    from: 'from urls indexed by urls_key where crawl = ? limit',
    to: 'from urls where crawl >= ? - 1 limit',
  },
]
