// One crawl thread: leases hosts (supply.ts), keeps requests under way (launch.ts), reports visits in groups
// (outbox.ts). It holds nothing that may be lost: if it dies, its leases lapse and the urls are still in the queue.
//
//   pump -> ask -> take -> launch -> report -> pump ...
//
// It ends when the crawl does, when it is told to stop (it then finishes what is under way), or when the store fails.
// While it is held it stands still: nothing is started and no lease is kept.

import type { LeaseGrant, LoopFrontier } from '../../ports/frontier.ts'
import type { CrawlStatus } from '../../ports/state.ts'
import { Alarm } from './alarm.ts'
import type { HostWork, PaceSettings } from './host-work.ts'
import type { Keeper } from './keeper.ts'
import { Launch, type LaunchParts, type LaunchSettings } from './launch.ts'
import { Outbox } from './outbox.ts'
import { Phases, type PhaseTimes } from './phases.ts'
import { Renewal } from './renewal.ts'
import type { HostStats } from './stats.ts'
import { Supply, type SupplySettings } from './supply.ts'
import type { Tallies } from './tally.ts'
import type { Wait } from './waits.ts'
import { Works } from './works.ts'

export interface LoopSettings extends SupplySettings, LaunchSettings, PaceSettings {
  leaseMs: number
}

export interface LoopParts extends LaunchParts {
  frontier: LoopFrontier
  keeper: Keeper
}

/** Corrections of a clock that is right are smaller. */
const SET_BACK_MS = 1000

export type LoopEnd = CrawlStatus | 'stopped'

export class CrawlLoop {
  readonly #parts: LoopParts
  readonly #works: Works
  readonly #outbox: Outbox
  readonly #launch: Launch
  readonly #supply: Supply
  readonly #alarm: Alarm
  readonly #renewal: Renewal
  readonly #slots: number
  readonly #phases: Phases
  /** Some host waits for others at its address, so that any end may be its start. */
  #isAnyHeldBack = false
  /** How the loop shall end; null while it goes on. */
  #endAs: LoopEnd | null = null
  #isClosing = false
  #isHeld = false
  /** Counts how often everything was started over: an answer to a question of before is no longer ours. */
  #era = 0
  #isOver = false
  /** What the clock showed when it was last read. */
  #readAt = 0
  readonly #end = Promise.withResolvers<LoopEnd>()
  readonly #stopped = Promise.withResolvers<void>()

  constructor(settings: LoopSettings, parts: LoopParts) {
    this.#parts = parts
    this.#slots = settings.concurrency
    this.#phases = new Phases(parts.clock.now())
    this.#works = new Works(settings)
    this.#alarm = new Alarm(parts.clock, () => this.#pump())
    this.#renewal = new Renewal(
      settings.leaseMs,
      { ...parts, works: this.#works },
      {
        onRenewed: (isAnyLost, askedAt) => {
          if (isAnyLost) this.#loseLeases()
          else this.#launch.forgetStepsBefore(askedAt)
          this.#pump()
        },
        onFailed: (error) => this.#fail(error),
      },
    )
    this.#outbox = new Outbox(settings, parts, {
      onDue: () => this.#flush(),
      onCommitted: ({ status, late, added, closing }) => {
        if (late > 0) this.#loseLeases()
        if (added > 0) this.#supply.askSoon()
        this.#isClosing ||= closing
        if (status !== 'running') this.#endAs ??= status
        this.#pump()
      },
      onFailed: (error) => this.#fail(error),
    })
    const hands = { works: this.#works, outbox: this.#outbox }
    this.#launch = new Launch(settings, parts, hands, {
      onRoom: (work) => this.#goOn(work),
      onFailed: (error) => this.#fail(error),
      isEnding: () => this.#isEnding,
    })
    this.#supply = new Supply(settings, { ...parts, works: this.#works })
  }

  run(): Promise<LoopEnd> {
    this.#renewal.start()
    this.#pump()
    return this.#end.promise
  }

  /** Starts nothing more, finishes what is under way, commits, and hands the rest back, with documents not read yet. */
  stop(): void {
    this.#endAs ??= 'stopped'
    this.#stopped.resolve()
    this.#pump()
  }

  /** Held, it finishes and commits what is under way, hands back its leases, and waits until it is let go. */
  setHeld(isHeld: boolean): void {
    this.#isHeld = isHeld
    this.#pump()
  }

  get inFlight(): number {
    return this.#launch.inFlight
  }

  get stats(): HostStats {
    return this.#launch.stats
  }

  get tallies(): Tallies {
    return this.#outbox.tally.read()
  }

  /** How long the oldest commit that the store is at has taken; 0 when there is none. */
  get oldestCommitMs(): number {
    return this.#outbox.oldestCommitMs
  }

  get waits(): Wait[] {
    return this.#works.waits.list(this.#works.values(), this.#launch.throttle, this.#parts.clock.now())
  }

  /** To be called about ten times a second; `queue`: answers that wait for this thread. */
  look(queue: number): void {
    const now = this.#parts.clock.now()
    const waiting = this.#works.waiting(this.#launch.throttle, now)
    const { isLeasing, dueAt } = this.#supply
    if (isLeasing && this.#works.inHand === 0) waiting.store += 1
    if (this.#parts.page.documentQueue.isBehind) waiting.documents += 1
    // What is queued may not be asked for yet: its hosts have their gap, in whoever's hands they were, unless they are
    // silent, or it waits for the document readers.
    else if (dueAt !== null && dueAt > now && waiting.origin === 0) waiting.politeness += 1
    const taken = this.#launch.taken()
    const { isFullOf } = this.#outbox
    this.#phases.add({ slots: this.#slots, isHeld: this.#isHeld, isFullOf, taken, waiting }, queue, now)
  }

  get phases(): PhaseTimes {
    return this.#phases.lastMinute(this.#parts.clock.now())
  }

  get #isEnding(): boolean {
    return this.#endAs !== null || this.#isClosing
  }

  get #isIdle(): boolean {
    return this.#launch.isIdle && this.#works.inHand === 0 && this.#outbox.isSettled
  }

  /** Starts what can be started, then asks for more, waits, or ends. */
  #pump(): void {
    if (this.#isOver) return
    if (this.#isEnding) return this.#drain()
    if (this.#isHeld) return this.#handBack()
    const now = this.#readClock()
    let wakeAt = Number.POSITIVE_INFINITY
    this.#isAnyHeldBack = false
    for (const work of this.#works.values()) {
      if (!this.#launch.hasRoom) break
      wakeAt = Math.min(wakeAt, this.#startAll(work, now))
    }
    const supply = this.#supply
    const wantsMore = supply.isShort || (this.#launch.hasRoom && supply.hasRoomForHosts)
    if (wantsMore && !supply.isAsking) {
      const hasNothing = this.#launch.isIdle && this.#works.inHand === 0
      if (now >= supply.askAt || hasNothing) void this.#ask()
      else wakeAt = Math.min(wakeAt, supply.askAt)
    }
    this.#alarm.set(wakeAt, now)
  }

  /** When the clock was set back, leases may look alive that lapsed before. */
  #readClock(): number {
    const now = this.#parts.clock.now()
    if (now < this.#readAt - SET_BACK_MS) this.#startOver()
    this.#readAt = now
    return now
  }

  /** Answers when the host can go on, if it is only a matter of time. */
  #startAll(work: HostWork, now: number): number {
    this.#launch.startAll(work, now)
    if (!work.hasSlot || work.isMute(now)) return Number.POSITIVE_INFINITY
    if (work.nextAt > now) return work.nextAt
    const { nextAt } = this.#launch.throttle
    if (nextAt > now) return nextAt
    this.#isAnyHeldBack = true
    return Number.POSITIVE_INFINITY
  }

  /** The usual way on: the next url of the host that has just answered, and no look at the others. */
  #goOn(work: HostWork | null): void {
    if (work === null || this.#isEnding || this.#isHeld || this.#isAnyHeldBack) return this.#pump()
    const now = this.#readClock()
    this.#launch.startAll(work, now)
    const isToWait = work.nextAt > now || this.#launch.throttle.nextAt > now
    if (work.inHand === 0 || isToWait || this.#supply.isShort) this.#pump()
  }

  /** Asks for urls. What was found meanwhile is flushed first, for it may be what we get. */
  async #ask(): Promise<void> {
    const { clock } = this.#parts
    const era = this.#era
    if (!this.#supply.isToppingUp) this.#works.releaseIdle(this.#outbox, clock.now())
    this.#flush()
    try {
      const askedAt = clock.now()
      const grant = await this.#supply.ask()
      if (this.#isOver) return
      if (era === this.#era) this.#take(grant, askedAt)
      else this.#outbox.addReleased(grant.leases)
      // A crawl that is about to end waits for what others have under way.
      const isDone = this.#endAs !== null || this.#isHeld || grant.leases.length > 0 || !this.#isIdle
      if (!isDone) {
        this.#flush()
        await this.#supply.waitForWork(grant.nextDueAt, this.#stopped.promise)
      }
      this.#pump()
    } catch (error) {
      this.#fail(error)
    }
  }

  #take(grant: LeaseGrant, askedAt: number): void {
    const now = this.#parts.clock.now()
    for (const lease of grant.leases) this.#works.add(lease, now)
    const tokens = grant.leases.map(({ token }) => token)
    this.#renewal.extend(tokens, askedAt)
    this.#parts.page.traps?.learn(grant.patterns)
    for (const pattern of grant.patterns) if (pattern.state === 'capped') this.#parts.journal.trapFound(pattern)
    this.#works.releaseIdle(this.#outbox, now)
    this.#isClosing ||= grant.closing
    if (grant.status !== 'running') this.#endAs ??= grant.status
  }

  #flush(): void {
    this.#outbox.flush(this.#works.values())
  }

  #handBack(): void {
    this.#works.dropHands()
    this.#works.releaseIdle(this.#outbox, this.#parts.clock.now())
    this.#flush()
  }

  /** Ending: hand back what was not started, wait for what was, then end, or help the store to close the crawl. */
  #drain(): void {
    // Those of a crawl that is about to end by itself are waited for.
    if (this.#endAs !== null) this.#launch.dropDocuments()
    this.#handBack()
    if (!this.#launch.isIdle || !this.#outbox.isSettled || this.#supply.isAsking) return
    if (this.#endAs === null) return void this.#ask()
    this.#close()
    this.#end.resolve(this.#endAs)
  }

  #fail(error: unknown): void {
    if (this.#isOver) return
    this.#close()
    this.#end.reject(error)
  }

  #close(): void {
    this.#isOver = true
    this.#alarm.off()
    this.#launch.close()
    this.#outbox.close()
    this.#renewal.off()
  }

  /** By a page that took too long, or by what no page can help: the store is away, or the whole process stood still. */
  #loseLeases(): void {
    this.#launch.blameLongStep(this.#renewal.maxBusyMs)
    this.#startOver()
  }

  /** A lease was lost, so a report may not have counted: forget everything and lease anew (see ports/frontier.ts). */
  #startOver(): void {
    this.#era += 1
    this.#outbox.startOver(this.#works.values())
    this.#works.fence()
    this.#launch.startOver()
    this.#parts.admit.startOver()
    this.#parts.gate.forget()
    this.#supply.askSoon()
  }
}
