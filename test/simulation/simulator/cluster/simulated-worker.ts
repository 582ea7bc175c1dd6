// A worker of a simulation: a real crawl loop in its own simulated process, with a link to the store.

import assert from 'node:assert/strict'
import { assembleLoop, type LoopEnvironment } from '../../../../src/engine/crawl/assemble-loop.ts'
import type { CrawlLoop } from '../../../../src/engine/crawl/loop/crawl-loop.ts'
import { ChunkPool } from '../../../../src/engine/crawl/report/response-batch.ts'
import { NO_STEP_RECORDER } from '../../../../src/engine/crawl/testing/no-step-recorder.ts'
import { newRateCell } from '../../../../src/engine/politeness/throttle.ts'
import { silentLog } from '../../../../src/lib/log.ts'
import { seededRandom } from '../../../../src/lib/seeded-random.ts'
import type { Crawl } from '../../../../src/ports/crawls.ts'
import { NO_DOCUMENTS } from '../../testing/no-documents.ts'
import type { StoreMonitor } from '../checks/store-monitor.ts'
import type { CallFault } from '../planned-faults.ts'
import { leaseDurationMs, type SimulationPlan } from '../simulation-plan.ts'
import type { VirtualTimeline } from '../virtual-timeline.ts'
import type { WebServers } from '../web/web-servers.ts'
import type { Heartbeats } from './heartbeats.ts'
import { SimulatedProcess } from './simulated-process.ts'
import type { SimulatedStore } from './simulated-store.ts'
import { StoreLink } from './store-link.ts'
import type { StoreQueue } from './store-queue.ts'

export interface SimulatedWorkerDependencies {
  plan: SimulationPlan
  timeline: VirtualTimeline
  storeQueue: StoreQueue
  servers: WebServers
  storeMonitor: StoreMonitor
  fleet: Heartbeats
  store(): SimulatedStore
  wallMs(): number
  onEvent(who: string, what: string): void
  onFault(kind: CallFault): void
}

export interface SimulatedWorker {
  slot: number
  /** Index of the crawl it works on. */
  crawl: number
  process: SimulatedProcess
  link: StoreLink
  loop: CrawlLoop
}

export interface WorkerAssignment {
  slot: number
  crawl: number
  job: Crawl
  /** Unique within a simulation. */
  number: number
}

export function startSimulatedWorker(
  { slot, crawl, job, number }: WorkerAssignment,
  parts: SimulatedWorkerDependencies,
): SimulatedWorker {
  const { plan, timeline, storeQueue, store, onEvent, onFault } = parts
  const random = seededRandom(plan.seed * 1000 + number)
  const simulatedProcess = new SimulatedProcess(`w${slot}.${number}`, timeline, parts.wallMs)
  const opened = store()
  const storeLink = new StoreLink({
    process: simulatedProcess,
    timeline,
    storeQueue,
    random,
    onEvent,
    onFault,
    isCut: () => opened !== store(),
  })
  const limits = {
    threadId: `${simulatedProcess.name}-0`,
    workerId: simulatedProcess.name,
    concurrency: job.settings.concurrency,
    slotsPerHost: plan.slotsPerHost,
    perIp: job.settings.perIp,
    rates: [{ perSecond: job.settings.maxRate, cell: newRateCell() }],
    seenUrls: 1000,
    leaseMs: leaseDurationMs(plan),
    pollMinMs: 100,
    pollMaxMs: 30_000,
  }
  const reach = {
    ...connectToStore(simulatedProcess, storeLink, parts),
    fetcher: parts.servers.connect(simulatedProcess, crawl),
  }
  const loop = assembleLoop(job, limits, {
    ...NO_ARCHIVE,
    ...reach,
    clock: simulatedProcess.clock,
    random: random.next,
  })
  if (plan.hasFleet) parts.fleet.startBeating(simulatedProcess, storeLink)
  return { slot, crawl, process: simulatedProcess, link: storeLink, loop }
}

const NO_ARCHIVE = {
  contents: { find: () => assert.fail('nothing is archived') },
  archive: { append: () => assert.fail('nothing is archived') },
  chunkPool: new ChunkPool(),
  renderer: null,
  extractor: null,
  hooks: null,
  documents: NO_DOCUMENTS,
  filters: null,
  log: silentLog,
  stepRecorder: NO_STEP_RECORDER,
}

function connectToStore(
  simulatedProcess: SimulatedProcess,
  storeLink: StoreLink,
  parts: SimulatedWorkerDependencies,
): Pick<LoopEnvironment, 'frontier' | 'robots'> {
  const { storeMonitor, store } = parts
  return {
    frontier: {
      lease: (request) => storeLink.call('lease', () => storeMonitor.lease(request)),
      commit: (batch) => storeLink.call('commit', () => storeMonitor.commit(batch)),
      renew: (tokens) => storeLink.call('renew', () => storeMonitor.renew(simulatedProcess.name, tokens)),
      waitForWork: (ms, heard) =>
        new Promise(
          (resolve) =>
            void store()
              .frontier.waitForWork(ms, heard)
              .then(() => simulatedProcess.run(resolve)),
        ),
    },
    robots: {
      find: (origin) => storeLink.call('robots', () => store().robots.find(origin)),
      save: (copy) => storeLink.call('robots', () => store().robots.save(copy)),
    },
  }
}
