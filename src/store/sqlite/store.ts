// Puts the parts of the embedded store together. `openStore` owns the directory; `openReader` only looks.

import type { DatabaseSync } from 'node:sqlite'
import { type Clock, systemClock } from '../../lib/clock.ts'
import type { Store, StoreReader } from '../../ports/store.ts'
import { accessIn } from './access.ts'
import { ActiveCrawls } from './active-crawl.ts'
import { openBrowse } from './browse.ts'
import { closingIn } from './close-some.ts'
import { SqliteContents } from './contents.ts'
import { SqliteCrawlReader, SqliteCrawls } from './crawls.ts'
import { deepeningIn } from './deepen.ts'
import { Discover } from './discover.ts'
import { excludingIn } from './exclude-queued.ts'
import { Explainer } from './explain.ts'
import { SqliteFrontier } from './frontier.ts'
import { Grants } from './grants.ts'
import { HeldLinks } from './held-links.ts'
import { SqliteHistories } from './history.ts'
import { Hosts } from './hosts.ts'
import { Leases } from './leases.ts'
import { Likeness } from './likeness.ts'
import { isOwned } from './lock.ts'
import { SqliteManners } from './manners.ts'
import { openDatabase, openForReading, storeError } from './open.ts'
import { SqlitePages } from './pages.ts'
import { Patterns } from './patterns.ts'
import { removingIn } from './remove-crawl.ts'
import { SqliteRetention } from './retention.ts'
import { SqliteRobots } from './robots.ts'
import { SegmentIds } from './segments.ts'
import { Settle } from './settle.ts'
import { SqliteSteering } from './steering.ts'
import { Take } from './take.ts'
import { Transactions } from './transaction.ts'
import { SqliteUrls } from './urls.ts'
import { listWorkers, SqliteWorkers } from './workers.ts'

export interface StoreOptions {
  clock: Clock
  random: () => number
  leaseMs: number
  create: boolean
}

export function openStore(dir: string, options: StoreOptions): Store {
  const { db, close } = openDatabase(dir, { create: options.create, readOnly: false })
  const transactions = new Transactions(db, (error) => storeError(error, dir))
  return { ...buildStore(db, transactions, options), close: async () => close() }
}

type BuiltStore = Omit<Store, 'close' | 'frontier'> & { frontier: SqliteFrontier }

/** What it keeps in memory is built from the file: nothing is in flight. */
export function buildStore(db: DatabaseSync, transactions: Transactions, options: StoreOptions): BuiltStore {
  const { clock, random } = options
  const openedAt = clock.now()
  const hosts = new Hosts(db, openedAt)
  // Milliseconds give later processes higher tokens: nobody grants a thousand leases a millisecond for long.
  const leases = new Leases(options.leaseMs, openedAt * 1000)
  const active = new ActiveCrawls(db, hosts)
  const discover = new Discover(db, hosts, leases)
  const reader = new SqliteCrawlReader(db, leases, true)
  const take = new Take(db, leases)
  const segments = new SegmentIds(db)
  const likeness = new Likeness(db)
  const contents = new SqliteContents(db, segments, likeness)
  const patterns = new Patterns(db)
  const heldLinks = new HeldLinks({ db, transactions, active, discover, patterns })
  const settle = new Settle(db, { discover, contents, heldLinks })
  const closeSome = closingIn(db, transactions, active)
  const deepenSome = deepeningIn({ db, transactions, active, discover })
  const exclude = excludingIn({ db, transactions, active, leases })
  const shared = {
    clock,
    random,
    transactions,
    hosts,
    leases,
    discover,
    patterns,
    closeSome,
    deepenSome,
    exclude,
    heldLinks,
  }
  const grants = new Grants({ ...shared, take, crawls: active })
  const frontier = new SqliteFrontier({ ...shared, settle, grants, crawls: active })
  return {
    frontier,
    workers: new SqliteWorkers({
      db,
      clock,
      transactions,
      takeBack: (id) => frontier.takeBackFrom(id),
      takeBackSilent: (id, since) => frontier.takeBackSilent(id, since),
      dueHosts: () => frontier.countDueHosts(),
    }),
    robots: new SqliteRobots(db, transactions),
    contents,
    pages: new SqlitePages(db),
    manners: new SqliteManners(db),
    retention: new SqliteRetention({ db, transactions, segments, likeness }),
    crawls: new SqliteCrawls({
      db,
      clock,
      transactions,
      active,
      discover,
      patterns,
      leases,
      reader,
      closeSome,
      frontier,
    }),
    urls: new SqliteUrls(db),
    browse: openBrowse(db, clock.now.bind(clock)),
    steering: new SqliteSteering({
      ...{ ...shared, db, active, reader },
      removal: removingIn({ db, transactions, active, likeness }),
      frontier,
    }),
    access: accessIn(db, transactions),
    history: new SqliteHistories(db, transactions),
  }
}

/** `cacheBytes` is for the pages of the file. */
export function openReader(dir: string, cacheBytes?: number): StoreReader {
  const { db, close } = openForReading(dir, cacheBytes)
  const explainer = new Explainer(dir)
  const read = <T extends object>(open: () => T): T => explainer.service(explainer.run(open))
  return {
    crawls: read(() => new SqliteCrawlReader(db, null, isOwned(dir))),
    urls: read(() => new SqliteUrls(db)),
    manners: read(() => new SqliteManners(db)),
    pages: read(() => new SqlitePages(db)),
    workers: read(() => ({ list: async () => listWorkers(db), keepers: async () => [] })),
    browse: read(() => openBrowse(db, systemClock.now)),
    damage: () => explainer.damage(),
    close: async () => close(),
  }
}
