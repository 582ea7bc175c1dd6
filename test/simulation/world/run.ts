// Runs a plan: real loops on a real store in virtual time, with everything going wrong that the plan says, until every
// crawl has ended or a promise is broken.

import { seededRandom } from '../../../src/demo/random.ts'
import { toSeeds } from '../../../src/engine/crawl/seeds.ts'
import type { Crawl } from '../../../src/ports/crawls.ts'
import { Crew } from './crew.ts'
import { Desk } from './desk.ts'
import { expectRows } from './expected.ts'
import { type Fault, isCallFault, isMove } from './faults.ts'
import { Fleet } from './fleet.ts'
import { LeaseBook } from './lease-book.ts'
import { Owner } from './owner.ts'
import { leaseMsOf, type Plan, settingsOf } from './plan.ts'
import { Servers } from './server.ts'
import type { MakeStore, OpenStore } from './stores.ts'
import { Timeline } from './timeline.ts'
import { Trace } from './trace.ts'
import { differences } from './verify.ts'
import { makeWeb } from './web.ts'
import { Witness } from './witness.ts'

/** No world takes longer that is not stuck. */
const MAX_MS = 2 * 3_600_000
const MAX_STEPS = 100_000
const AUTO_GAP_MS = 200

export async function runPlan(plan: Plan, makeStore: MakeStore): Promise<Trace> {
  const timeline = new Timeline()
  const trace = new Trace(timeline)
  const world = await build(plan, makeStore, { timeline, trace })
  try {
    for (let i = 0; i < plan.workers * plan.crawls; i++) world.crew.add()
    for (const fault of plan.faults) timeline.after(fault.atMs, () => strike(fault, world))
    if (plan.hasFleet) world.fleet.watch()
    if (plan.cancelAtMs !== null) timeline.after(plan.cancelAtMs, () => world.owner.cancelAll())
    await pass(world)
    if (trace.broken === null) await judge(world)
  } catch (error) {
    trace.failure(error)
  } finally {
    await world.desk.settle()
    await world.hold.store.remove()
  }
  return trace
}

interface World {
  plan: Plan
  timeline: Timeline
  trace: Trace
  desk: Desk
  servers: Servers
  book: LeaseBook
  witness: Witness
  fleet: Fleet
  crew: Crew
  owner: Owner
  crawls: Crawl[]
  /** Changes with each restart. */
  hold: { store: OpenStore }
  /** How far the clock on the wall is ahead. */
  wall: { aheadMs: number }
}

async function build(plan: Plan, makeStore: MakeStore, base: { timeline: Timeline; trace: Trace }): Promise<World> {
  const { timeline, trace } = base
  const { event: onEvent, breach: onBroken, fault: onFault } = trace
  const settings = settingsOf(plan)
  const leaseMs = leaseMsOf(plan)
  const web = makeWeb(plan.web)
  const wall = { aheadMs: 0 }
  const wallMs = () => timeline.now() + wall.aheadMs
  const clock = { now: wallMs, after: timeline.after.bind(timeline) }
  const store = await makeStore({ clock, random: seededRandom(plan.seed).next, leaseMs })
  const hold = { store }
  const crawls: Crawl[] = []
  for (let keySeed = 1; keySeed <= plan.crawls; keySeed++) {
    crawls.push(await store.crawls.create({ seeds: toSeeds(web.seeds, keySeed), settings, keySeed }))
  }
  const { perHost, delayMs, ignoreRobots } = settings
  const gapMs = delayMs === 'auto' ? AUTO_GAP_MS : delayMs
  const manners = { perHost, gapMs, heedsRobots: !ignoreRobots }
  const servers = new Servers({ timeline, web, manners, onEvent, onBroken })
  const book = new LeaseBook({ leaseMs, perHost }, onBroken)
  const witness = new Witness({ store: () => hold.store, now: wallMs, book, onEvent, onBroken })
  const desk = new Desk(trace.failure)
  const common = { timeline, desk, store: () => hold.store, wallMs, onEvent, onBroken }
  const fleet = new Fleet({ ...common, book })
  const parts = { ...common, plan, servers, witness, fleet, onFault }
  const crew = new Crew(parts, [...crawls])
  const hosts = [...web.hosts.keys()]
  const owner = new Owner({ ...parts, crew, book, crawls, hosts })
  return { plan, timeline, trace, desk, servers, book, witness, fleet, crew, owner, crawls, hold, wall }
}

function strike(fault: Fault, world: World): void {
  const { crew, trace, servers, wall, owner } = world
  const { kind, ms } = fault
  if (isMove(kind)) return owner.move(kind, fault)
  const worker = crew.pick(fault.pick)
  // When every worker has ended there is nothing left to disturb.
  if (worker === undefined) return
  if (isCallFault(kind)) return worker.link.arm(fault)
  switch (kind) {
    case 'crash':
      crew.crash(worker, ms)
      break
    case 'pause':
      trace.event(worker.process.name, `stands still for ${ms} ms`)
      worker.process.pause(ms)
      break
    case 'restart':
      restart(world, ms)
      break
    case 'add worker':
      crew.add()
      break
    case 'stop worker':
      if (!crew.stop(worker)) return
      break
    case 'set clock':
      trace.event('clock', `is set by ${ms} ms`)
      wall.aheadMs += ms
      if (ms > 0) servers.forgive()
      break
  }
  trace.fault(kind)
}

/** The process that owns the store is killed, with every worker, and started again. */
function restart({ crew, trace, desk, book, hold, owner }: World, afterMs: number): void {
  trace.event('store', `is killed, and back after ${afterMs} ms`)
  crew.crashAll(afterMs)
  desk.serve(async () => {
    hold.store = await hold.store.reopen()
    book.clear()
    await owner.inspect()
  })
}

async function pass({ desk, crew, owner, timeline, trace }: World): Promise<void> {
  for (let step = 0; step < MAX_STEPS && timeline.elapsedMs < MAX_MS; step++) {
    await desk.settle()
    if (trace.broken !== null || (crew.isDone && owner.isDone)) return
    if (!timeline.step()) break
  }
  trace.breach('G6 the end', 'the crawl is stuck')
}

async function judge({ plan, crawls, hold, witness, owner, trace }: World): Promise<void> {
  const expected = expectRows(makeWeb(plan.web), plan.settings)
  for (const [i, { id }] of crawls.entries()) {
    if (owner.hasRemoved(i)) continue
    const progress = await witness.inspect(id)
    const found = await differences(expected, hold.store, progress, owner.hasCutShort(i))
    if (found.length > 0) trace.breach('G7 the same result', found.join('; '))
  }
}
