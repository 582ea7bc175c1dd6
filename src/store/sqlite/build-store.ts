// Assembles the embedded store, without what only readers use.

import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../lib/clock.ts'
import type { Store } from '../../ports/store.ts'
import { makeAccess } from '../access/sqlite.ts'
import { makeAudits } from '../audits/sqlite.ts'
import { SqliteChangeFeed, SqliteChanges } from '../changes/sqlite.ts'
import { ChangeRecorder } from '../changes/sqlite-record.ts'
import { makeCookies } from '../cookies/sqlite.ts'
import { SqliteCrawlReader, SqliteCrawls } from '../crawls/sqlite.ts'
import { makeAddUrls } from '../crawls/sqlite-add-urls.ts'
import { SqliteCrawlControl } from '../crawls/sqlite-control.ts'
import { makeCrawlRemoval } from '../crawls/sqlite-remove-crawl.ts'
import { SqliteDiagnostics } from '../diagnostics/sqlite.ts'
import { UrlClaimer } from '../frontier/sqlite/claim/claim-urls.ts'
import { LeaseGranter } from '../frontier/sqlite/claim/grant-leases.ts'
import { ActiveCrawls } from '../frontier/sqlite/crawl-state/active-crawls.ts'
import { makeCloseCrawlBatch } from '../frontier/sqlite/crawl-state/close-crawl.ts'
import { makeQueueExclusions } from '../frontier/sqlite/crawl-state/exclude-queued.ts'
import { makeAdmitDeferredBatch } from '../frontier/sqlite/discovery/admit-deferred.ts'
import { UrlDiscoverer } from '../frontier/sqlite/discovery/discover.ts'
import { HeldLinks } from '../frontier/sqlite/discovery/held-links.ts'
import { Patterns } from '../frontier/sqlite/discovery/patterns.ts'
import { RenderPatterns } from '../frontier/sqlite/discovery/render-patterns.ts'
import { Trials } from '../frontier/sqlite/discovery/trials.ts'
import { SqliteFrontier } from '../frontier/sqlite/frontier.ts'
import { Hosts } from '../frontier/sqlite/hosts.ts'
import { Leases } from '../frontier/sqlite/leases.ts'
import { SubresourceRecorder } from '../frontier/sqlite/record-subresources.ts'
import { VisitRecorder } from '../frontier/sqlite/record-visits.ts'
import { HostRates } from '../frontier/sqlite/recrawl/host-rates.ts'
import { makeRestoreRevisit, makeRestoreRevisitsBatch } from '../frontier/sqlite/recrawl/restore-revisits.ts'
import { RevisitRecorder } from '../frontier/sqlite/recrawl/revisit-recorder.ts'
import { SqliteRevisits } from '../frontier/sqlite/recrawl/revisits.ts'
import { SqliteHistory } from '../history/sqlite.ts'
import { makeMonitors, makeProtectedDocuments } from '../monitors/sqlite.ts'
import { makeMonitorHits } from '../monitors/sqlite-hits.ts'
import { SqlitePages } from '../pages/sqlite.ts'
import { SqliteContents } from '../pages/sqlite-contents.ts'
import { NearDuplicates } from '../pages/sqlite-near-duplicates.ts'
import { SegmentIds } from '../pages/sqlite-segments.ts'
import { SqlitePolicies } from '../policies/sqlite.ts'
import { SqliteRetention } from '../retention/sqlite.ts'
import { SqliteRobots } from '../robots/sqlite.ts'
import { SqliteUrls } from '../urls/sqlite.ts'
import { SqliteWorkers } from '../workers/sqlite.ts'
import type { Transactions } from './transactions.ts'

export interface StoreOptions {
  clock: Clock
  random: () => number
  leaseMs: number
  create: boolean
}

type BuiltStore = Omit<Store, 'browse' | 'close' | 'frontier'> & { frontier: SqliteFrontier }

/** Builds the in-memory state from the file. Nothing is in flight. */
export function buildStore(db: DatabaseSync, transactions: Transactions, options: StoreOptions): BuiltStore {
  const { clock, random } = options
  const openedAt = clock.now()
  const policies = new SqlitePolicies({ db, clock, transactions })
  const hosts = new Hosts(db, openedAt, policies)
  // Later processes get higher tokens: no process grants a thousand leases per millisecond for long.
  const leases = new Leases(options.leaseMs, openedAt * 1000)
  const active = new ActiveCrawls(db, hosts)
  const hostRates = new HostRates(db)
  const revisitRecorder = new RevisitRecorder(db, hosts, hostRates)
  const urlDiscoverer = new UrlDiscoverer(db, { hosts, leases, revisitRecorder })
  const restoreRevisit = makeRestoreRevisit(db)
  const reader = new SqliteCrawlReader(db, leases, () => true)
  const urlClaimer = new UrlClaimer(db, leases, hostRates)
  const segments = new SegmentIds(db)
  const nearDuplicates = new NearDuplicates(db)
  const contents = new SqliteContents(db, segments, nearDuplicates)
  const patterns = new Patterns(db)
  const trials = new Trials(db, patterns)
  const heldLinks = new HeldLinks({ db, transactions, active, urlDiscoverer, patterns, trials })
  const renderPatterns = new RenderPatterns({ db, transactions, active, hosts })
  const changeRecorder = new ChangeRecorder(db)
  const visitRecorder = new VisitRecorder(db, {
    urlDiscoverer,
    contents,
    heldLinks,
    trials,
    revisitRecorder,
    changeRecorder,
    renderPatterns,
  })
  const subresourceRecorder = new SubresourceRecorder(db, { hosts, contents })
  const restoreRevisitsBatch = makeRestoreRevisitsBatch({ db, transactions, active, leases, restoreRevisit })
  const closeCrawlBatch = makeCloseCrawlBatch({ db, transactions, active, restoreRevisitsBatch })
  const admitDeferredBatch = makeAdmitDeferredBatch({ db, transactions, active, urlDiscoverer })
  const exclusions = makeQueueExclusions({ db, transactions, active, leases, restoreRevisit })
  const shared = {
    clock,
    random,
    transactions,
    hosts,
    leases,
    urlDiscoverer,
    patterns,
    renderPatterns,
    closeCrawlBatch,
    restoreRevisitsBatch,
    admitDeferredBatch,
    exclusions,
    heldLinks,
    policies,
  }
  const leaseGranter = new LeaseGranter({ ...shared, urlClaimer, crawls: active })
  const frontier = new SqliteFrontier({ ...shared, visitRecorder, subresourceRecorder, leaseGranter, crawls: active })
  policies.onChange = () => frontier.applyPolicies()
  return {
    frontier,
    policies,
    workers: new SqliteWorkers({
      db,
      clock,
      transactions,
      requeueWorker: (id) => frontier.requeueWorker(id),
      requeueLostWorker: (id, since) => frontier.requeueLostWorker(id, since),
      countDueHosts: () => frontier.countDueHosts(),
    }),
    robots: new SqliteRobots(db, transactions),
    cookies: makeCookies(db, transactions),
    contents,
    pages: new SqlitePages(db),
    diagnostics: new SqliteDiagnostics(db),
    revisits: new SqliteRevisits({ ...shared, db, active, revisitRecorder, frontier }),
    retention: new SqliteRetention({ db, transactions, segments, nearDuplicates }),
    crawls: new SqliteCrawls({
      db,
      clock,
      transactions,
      active,
      urlDiscoverer,
      patterns,
      leases,
      reader,
      closeCrawlBatch,
      frontier,
    }),
    urls: new SqliteUrls(db),
    control: new SqliteCrawlControl({
      ...shared,
      db,
      active,
      reader,
      addUrls: makeAddUrls({ ...shared, db, active }),
      removal: makeCrawlRemoval({ db, transactions, active, nearDuplicates }),
      frontier,
    }),
    access: makeAccess(db, transactions),
    history: new SqliteHistory(db, transactions),
    changes: new SqliteChanges(db),
    changeFeed: new SqliteChangeFeed({ db, transactions, clock }),
    monitors: makeMonitors(db, transactions),
    protectedDocuments: makeProtectedDocuments(db, transactions),
    monitorHits: makeMonitorHits(db, transactions),
    audits: makeAudits(db, transactions),
  }
}
