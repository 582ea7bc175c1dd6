// Runs a plan: real loops on a real store in virtual time, with the faults of the plan, until every crawl has ended or
// a guarantee is broken.

import type { Policy } from '../../../src/config/policies/policy.ts'
import { toSeeds } from '../../../src/engine/crawl/plan/seeds.ts'
import { seededRandom } from '../../../src/lib/seeded-random.ts'
import type { Crawl } from '../../../src/ports/crawls.ts'
import { findDifferences } from './checks/compare-rows.ts'
import { expectRows } from './checks/expected-rows.ts'
import { LeaseModel } from './checks/lease-model.ts'
import { StoreMonitor } from './checks/store-monitor.ts'
import { CrawlOwner } from './cluster/crawl-owner.ts'
import { Heartbeats } from './cluster/heartbeats.ts'
import { SimulatedFreshness } from './cluster/simulated-freshness.ts'
import type { MakeStore, SimulatedStore } from './cluster/simulated-store.ts'
import { SimulatedWorkers } from './cluster/simulated-workers.ts'
import { StoreQueue } from './cluster/store-queue.ts'
import { isCallFault, isOwnerAction, type PlannedFault } from './planned-faults.ts'
import { hostRulesAt, limitsPages, maxPagesOf } from './planned-policies.ts'
import { leaseDurationMs, type SimulationPlan, toCrawlSettings } from './simulation-plan.ts'
import { Trace } from './trace.ts'
import { VirtualTimeline } from './virtual-timeline.ts'
import { generateWeb } from './web/generated-web.ts'
import { WebServers } from './web/web-servers.ts'

/** A run that takes longer is stuck. */
const MAX_MS = 2 * 3_600_000
const MAX_STEPS = 100_000
const AUTO_GAP_MS = 200
/** Requests of a page, besides failed ones. */
const OFTEN = 10

export async function runPlan(simulationPlan: SimulationPlan, makeStore: MakeStore): Promise<Trace> {
  const virtualTimeline = new VirtualTimeline()
  const trace = new Trace(virtualTimeline)
  const simulation = await buildSimulation(simulationPlan, makeStore, { timeline: virtualTimeline, trace })
  try {
    for (let i = 0; i < simulationPlan.workers * simulationPlan.crawls; i++) simulation.workers.add()
    for (const plannedFault of simulationPlan.faults)
      virtualTimeline.after(plannedFault.atMs, () => injectFault(plannedFault, simulation))
    for (const { atMs, policy } of simulationPlan.policies)
      if (atMs > 0) virtualTimeline.after(atMs, () => setPolicy(policy, simulation))
    if (simulationPlan.hasFleet) simulation.fleet.watchForLost()
    if (simulationPlan.settings.recrawl !== 'off') simulation.freshness.start()
    if (simulationPlan.cancelAtMs !== null)
      virtualTimeline.after(simulationPlan.cancelAtMs, () => simulation.owner.cancelAll())
    await runToEnd(simulation)
    if (trace.violation === null) await checkResults(simulation)
  } catch (error) {
    trace.reportFailure(error)
  } finally {
    await simulation.storeQueue.waitUntilIdle()
    await simulation.hold.store.remove()
  }
  return trace
}

interface Simulation {
  plan: SimulationPlan
  timeline: VirtualTimeline
  trace: Trace
  storeQueue: StoreQueue
  servers: WebServers
  leaseModel: LeaseModel
  storeMonitor: StoreMonitor
  fleet: Heartbeats
  workers: SimulatedWorkers
  owner: CrawlOwner
  freshness: SimulatedFreshness
  crawls: Crawl[]
  /** Replaced with each restart. */
  hold: { store: SimulatedStore }
  /** How far the wall clock is ahead. */
  wall: { aheadMs: number }
}

async function buildSimulation(
  simulationPlan: SimulationPlan,
  makeStore: MakeStore,
  base: { timeline: VirtualTimeline; trace: Trace },
): Promise<Simulation> {
  const { timeline, trace } = base
  const { recordEvent: onEvent, reportViolation: onViolation, countFault: onFault } = trace
  const settings = toCrawlSettings(simulationPlan)
  const leaseMs = leaseDurationMs(simulationPlan)
  const generatedWeb = generateWeb(simulationPlan.web)
  const wall = { aheadMs: 0 }
  const wallMs = () => timeline.now() + wall.aheadMs
  const clock = { now: wallMs, after: timeline.after.bind(timeline) }
  const store = await makeStore({ clock, random: seededRandom(simulationPlan.seed).next, leaseMs })
  const hold = { store }
  const { policies } = simulationPlan
  await store.policies.set(policies.filter(({ atMs }) => atMs === 0).map(({ policy }) => policy))
  const crawls: Crawl[] = []
  for (let keySeed = 1; keySeed <= simulationPlan.crawls; keySeed++) {
    crawls.push(await store.crawls.create({ seeds: toSeeds(generatedWeb.seeds, keySeed), settings, keySeed }))
  }
  const { perHost, delayMs, ignoreRobots } = settings
  const own = { perHost, delayMs, autoGapMs: AUTO_GAP_MS }
  const rulesOf = (host: string) => hostRulesAt(policies, own, { host, atMs: timeline.elapsedMs })
  const politeness = { rulesOf, obeysRobots: !ignoreRobots }
  const webServers = new WebServers({ timeline, web: generatedWeb, politeness, onEvent, onViolation })
  const leaseModel = new LeaseModel({ leaseMs, perHost }, onViolation)
  const storeMonitor = new StoreMonitor({
    hasRevisits: settings.recrawl !== 'off',
    store: () => hold.store,
    now: wallMs,
    leaseModel,
    onEvent,
    onViolation,
  })
  const storeQueue = new StoreQueue(trace.reportFailure)
  const common = { timeline, storeQueue, store: () => hold.store, wallMs, onEvent, onViolation }
  const heartbeats = new Heartbeats({ ...common, leaseModel })
  const parts = {
    ...common,
    plan: simulationPlan,
    servers: webServers,
    storeMonitor,
    fleet: heartbeats,
    onFault,
  }
  const simulatedWorkers = new SimulatedWorkers(parts, [...crawls])
  const hosts = [...generatedWeb.hosts.keys()]
  const crawlOwner = new CrawlOwner({ ...parts, workers: simulatedWorkers, leaseModel, crawls, hosts })
  const freshness = new SimulatedFreshness({ ...parts, owner: crawlOwner, crawls })
  return {
    plan: simulationPlan,
    freshness,
    timeline,
    trace,
    storeQueue,
    servers: webServers,
    leaseModel,
    storeMonitor,
    fleet: heartbeats,
    workers: simulatedWorkers,
    owner: crawlOwner,
    crawls,
    hold,
    wall,
  }
}

function injectFault(plannedFault: PlannedFault, simulation: Simulation): void {
  const { workers, trace, servers, wall, owner } = simulation
  const { kind, ms } = plannedFault
  if (isOwnerAction(kind)) return owner.act(kind, plannedFault)
  const worker = workers.pick(plannedFault.pick)
  // Faults have no effect once every worker has ended.
  if (worker === undefined) return
  if (isCallFault(kind)) return worker.link.addFault(plannedFault)
  switch (kind) {
    case 'crash':
      workers.crash(worker, ms)
      break
    case 'pause':
      trace.recordEvent(worker.process.name, `is paused for ${ms} ms`)
      worker.process.pause(ms)
      break
    case 'restart':
      restartStore(simulation, ms)
      break
    case 'add worker':
      workers.add()
      break
    case 'stop worker':
      if (!workers.stop(worker)) return
      break
    case 'set clock':
      trace.recordEvent('clock', `is set by ${ms} ms`)
      wall.aheadMs += ms
      if (ms > 0) servers.resetGaps()
      break
  }
  trace.countFault(kind)
}

function setPolicy(policy: Policy, { storeQueue, hold, trace }: Simulation): void {
  storeQueue.enqueue(async () => {
    trace.recordEvent('operator', `sets ${JSON.stringify(policy)}`)
    await hold.store.policies.set([policy])
  })
}

/** Kills the process that owns the store, with every worker, and starts it again. */
function restartStore({ workers, trace, storeQueue, leaseModel, hold, owner }: Simulation, afterMs: number): void {
  trace.recordEvent('store', `is killed and returns after ${afterMs} ms`)
  workers.crashAll(afterMs)
  storeQueue.enqueue(async () => {
    hold.store = await hold.store.reopen()
    leaseModel.forgetAll()
    await owner.auditCrawls()
  })
}

async function runToEnd({ storeQueue, workers, owner, timeline, trace }: Simulation): Promise<void> {
  for (let step = 0; step < MAX_STEPS && timeline.elapsedMs < MAX_MS; step++) {
    await storeQueue.waitUntilIdle()
    if (trace.violation !== null || (workers.isDone && owner.isDone)) return
    if (!timeline.step()) break
  }
  trace.reportViolation('G6 the end', 'the crawl is stuck')
}

async function checkResults(simulation: Simulation): Promise<void> {
  const { plan, crawls, hold, storeMonitor, owner, trace, servers } = simulation
  const expected = expectRows(generateWeb(plan.web), plan.settings)
  for (const [i, { id }] of crawls.entries()) {
    if (owner.hasRemoved(i)) continue
    const progress = await storeMonitor.checkCrawl(id)
    const isCutShort = owner.hasEndedEarly(i) || limitsPages(plan.policies)
    const found = await findDifferences(expected, hold.store, progress, isCutShort)
    found.push(...(await findTooManyPages(hold.store, id, plan)))
    if (found.length > 0) trace.reportViolation('G7 the same result', found.join('; '))
    const starved =
      progress.crawl.status === 'completed'
        ? await findStarved(hold.store, id, (url) => servers.countRequests(i, url))
        : []
    if (plan.settings.recrawl !== 'off' && starved.length > 0)
      trace.reportViolation('G14 revisits', `${starved.join(' ')} were visited once, others often`)
  }
}

/** Hosts with more pages than their policy allows, or fewer although others were excluded for it. */
async function findTooManyPages(store: SimulatedStore, crawlId: string, { policies }: SimulationPlan) {
  const rows = await Array.fromAsync(store.urls.rows(crawlId))
  const byHost = Map.groupBy(rows, ({ url }) => new URL(url).host)
  return [...byHost].flatMap(([host, urls]) => {
    const maxPages = maxPagesOf(policies, host)
    if (maxPages === null) return []
    const pages = urls.filter(({ state, kind }) => state === 'visited' && kind === 'page').length
    const isLimited = urls.some(({ reason }) => reason === 'host_max_pages')
    const isWrong = pages > maxPages || (isLimited && pages !== maxPages)
    return isWrong ? [`${host} has ${pages} pages, and its policy allows ${maxPages}`] : []
  })
}

/** Pages that were never visited again while others were visited many times. */
async function findStarved(store: SimulatedStore, crawlId: string, requestsOf: (url: string) => number) {
  const rows = await Array.fromAsync(store.urls.rows(crawlId))
  const visited = rows.filter(({ state }) => state === 'visited').map(({ url }) => ({ url, requests: requestsOf(url) }))
  const most = Math.max(0, ...visited.map(({ requests }) => requests))
  return most < OFTEN ? [] : visited.filter(({ requests }) => requests < 2).map(({ url }) => url)
}
