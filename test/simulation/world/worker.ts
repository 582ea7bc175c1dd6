// One worker of a world: a real crawl loop in a process of its own, with a link to the store.

import assert from 'node:assert/strict'
import { seededRandom } from '../../../src/demo/random.ts'
import { assembleLoop, type World as LoopWorld } from '../../../src/engine/crawl/assemble.ts'
import { NO_STEP_NOTE } from '../../../src/engine/crawl/fixture.step-note.ts'
import type { CrawlLoop } from '../../../src/engine/crawl/loop.ts'
import { newRateCell } from '../../../src/engine/politeness/throttle.ts'
import { quietLog } from '../../../src/lib/log.ts'
import type { Crawl } from '../../../src/ports/crawls.ts'
import { NO_DOCUMENTS } from '../no-documents.ts'
import type { Desk } from './desk.ts'
import type { CallFault } from './faults.ts'
import type { Fleet } from './fleet.ts'
import { Link } from './link.ts'
import { leaseMsOf, type Plan } from './plan.ts'
import { Process } from './process.ts'
import type { Servers } from './server.ts'
import type { OpenStore } from './stores.ts'
import type { Timeline } from './timeline.ts'
import type { Witness } from './witness.ts'

export interface WorkerParts {
  plan: Plan
  timeline: Timeline
  desk: Desk
  servers: Servers
  witness: Witness
  fleet: Fleet
  store(): OpenStore
  wallMs(): number
  onEvent(who: string, what: string): void
  onFault(kind: CallFault): void
}

export interface Worker {
  slot: number
  /** Which of the crawls it works for. */
  crawl: number
  process: Process
  link: Link
  loop: CrawlLoop
}

export interface Post {
  slot: number
  crawl: number
  job: Crawl
  /** No two workers of a world have the same. */
  number: number
}

export function makeWorker({ slot, crawl, job, number }: Post, parts: WorkerParts): Worker {
  const { plan, timeline, desk, store, onEvent, onFault } = parts
  const random = seededRandom(plan.seed * 1000 + number)
  const process = new Process(`w${slot}.${number}`, timeline, parts.wallMs)
  const opened = store()
  const link = new Link({ process, timeline, desk, random, onEvent, onFault, isCut: () => opened !== store() })
  const share = {
    workerId: `${process.name}-0`,
    worker: process.name,
    concurrency: job.settings.concurrency,
    slotsPerHost: plan.slotsPerHost,
    perIp: job.settings.perIp,
    rates: [{ perSecond: job.settings.maxRate, cell: newRateCell() }],
    seenUrls: 1000,
    leaseMs: leaseMsOf(plan),
  }
  const reach = { ...reachStore(process, link, parts), fetcher: parts.servers.connect(process, crawl) }
  const loop = assembleLoop(job, share, { ...NOTHING_KEPT, ...reach, clock: process.clock, random: random.next })
  if (plan.hasFleet) parts.fleet.beat(process, link)
  return { slot, crawl, process, link, loop }
}

const NOTHING_KEPT = {
  contents: { find: () => assert.fail('nothing is kept') },
  archive: { append: () => assert.fail('nothing is kept') },
  documents: NO_DOCUMENTS,
  filters: null,
  log: quietLog,
  stepNote: NO_STEP_NOTE,
}

function reachStore(process: Process, link: Link, parts: WorkerParts): Pick<LoopWorld, 'frontier' | 'robots'> {
  const { witness, store } = parts
  return {
    frontier: {
      lease: (request) => link.call('lease', () => witness.lease(request)),
      commit: (batch) => link.call('commit', () => witness.commit(batch)),
      renew: (tokens) => link.call('renew', () => witness.renew(process.name, tokens)),
      waitForWork: (ms, heard) =>
        new Promise(
          (resolve) =>
            void store()
              .frontier.waitForWork(ms, heard)
              .then(() => process.run(resolve)),
        ),
    },
    robots: {
      find: (origin) => link.call('robots', () => store().robots.find(origin)),
      save: (copy) => link.call('robots', () => store().robots.save(copy)),
    },
  }
}
