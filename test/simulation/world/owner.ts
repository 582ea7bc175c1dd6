// Whoever the crawls belong to: pauses them, blocks a host, lowers the limit of depth and takes it back after a while,
// or removes one. What was taken back leaves no trace in the result, unless the crawl had ended by then.

import { asAppError } from '../../../src/lib/errors.ts'
import type { Crawl } from '../../../src/ports/crawls.ts'
import type { Steering } from '../../../src/ports/steering.ts'
import type { Crew } from './crew.ts'
import type { Desk } from './desk.ts'
import type { Fault, FaultKind, Move } from './faults.ts'
import type { LeaseBook } from './lease-book.ts'
import type { Plan } from './plan.ts'
import type { OpenStore } from './stores.ts'
import type { Timeline } from './timeline.ts'
import type { Witness } from './witness.ts'

export interface OwnerParts {
  plan: Plan
  timeline: Timeline
  desk: Desk
  witness: Witness
  book: LeaseBook
  crew: Crew
  crawls: Crawl[]
  hosts: string[]
  store(): OpenStore
  wallMs(): number
  onEvent(who: string, what: string): void
  onFault(kind: FaultKind): void
}

/** The crawl that a move is about. */
interface About {
  at: number
  id: string
}

/** A crawl of which something is in flight is not removed; then the owner tries again. */
const AGAIN_MS = 3000
/** With a low limit most crawls are soon at their end, and then there is nothing left to let in. */
const LOWER_FOR_LESS = 20

export class Owner {
  readonly #parts: OwnerParts
  readonly #removed = new Set<number>()
  readonly #cutShort = new Set<number>()
  /** Crawls that a move is about which is not taken back yet. */
  readonly #busy = new Set<number>()

  constructor(parts: OwnerParts) {
    this.#parts = parts
  }

  get isDone(): boolean {
    return this.#busy.size === 0
  }

  hasRemoved(crawl: number): boolean {
    return this.#removed.has(crawl)
  }

  /** It ended while less of it was wanted than before and after. */
  hasCutShort(crawl: number): boolean {
    return this.#cutShort.has(crawl)
  }

  /** One at a time for each crawl. The first crawl is never removed, or nothing would be left to judge. */
  move(kind: Move, { pick, ms }: Fault): void {
    const { crawls, hosts, onFault } = this.#parts
    const at = pick % crawls.length
    const id = crawls[at]?.id
    if (id === undefined || this.#busy.has(at) || this.#removed.has(at)) return
    if (kind === 'remove crawl' && at === 0) return
    this.#busy.add(at)
    onFault(kind)
    const about = { at, id }
    switch (kind) {
      case 'pause crawl':
        return this.#pause(about, ms)
      case 'block host':
        return this.#block(about, hosts[pick % hosts.length] ?? '', ms)
      case 'lower depth':
        return this.#lower(about, pick % 3, Math.ceil(ms / LOWER_FOR_LESS))
      case 'remove crawl':
        return this.#remove(about)
    }
  }

  cancelAll(): void {
    const { crawls, store } = this.#parts
    crawls.forEach(({ id }, at) => {
      this.#serve({ at, id }, 'cancels', () => store().crawls.close(id, 'cancelled'))
    })
  }

  /** Recounts the crawls that are left. */
  async inspect(): Promise<void> {
    const { crawls, witness } = this.#parts
    for (const [at, { id }] of crawls.entries()) if (!this.#removed.has(at)) await witness.inspect(id)
  }

  #pause(about: About, ms: number): void {
    const { store } = this.#parts
    this.#serve(about, 'pauses', () => store().crawls.setPaused(about.id, true))
    this.#end(about, ms, 'resumes', () => store().crawls.setPaused(about.id, false))
  }

  #block(about: About, host: string, ms: number): void {
    const { store, plan, witness } = this.#parts
    this.#serve(about, `blocks ${host} in`, async () => {
      await store().steering.blockHost(about.id, host)
      witness.restrict(about.id, { host, beyondDepth: Number.POSITIVE_INFINITY })
    })
    this.#end(about, ms, `releases ${host} in`, async () => {
      witness.restrict(about.id, null)
      if (await this.#isClosed(about)) return
      // What lay beyond a limit of depth is forgotten at the end, so that a shorter way found now leads nowhere.
      if (plan.settings.maxDepth !== null && (await this.#isOver(about))) this.#cutShort.add(about.at)
      await store().steering.releaseHost(about.id, host)
      await store().crawls.setPaused(about.id, false)
    })
  }

  #lower(about: About, maxDepth: number, ms: number): void {
    const { store, plan, witness } = this.#parts
    const { maxDepth: before } = plan.settings
    if (before !== null && before <= maxDepth) return this.#over(about)
    this.#serve(about, `lowers the depth to ${maxDepth} of`, async () => {
      if (await this.#isOver(about)) return
      await store().steering.change(about.id, { maxDepth })
      witness.restrict(about.id, { host: null, beyondDepth: maxDepth })
      await this.#recall(about)
    })
    this.#end(about, ms, 'raises the depth of', async () => {
      witness.restrict(about.id, null)
      if (await this.#isOver(about)) this.#cutShort.add(about.at)
      await store().steering.change(about.id, { maxDepth: before })
    })
  }

  #remove(about: About): void {
    const { store, crew, book, timeline, wallMs } = this.#parts
    this.#serve(about, 'removes', async () => {
      await store().crawls.setPaused(about.id, true)
      const problem = await removeWhole(store().steering, about.id).then(
        () => null,
        (error: unknown) => asAppError(error),
      )
      if (problem?.code === 'CRAWL_RUNNING') {
        timeline.after(AGAIN_MS, () => this.#remove(about))
        return
      }
      if (problem !== null) throw problem
      this.#removed.add(about.at)
      crew.dismiss(about.at)
      book.forget(about.id, wallMs())
      this.#over(about)
    })
  }

  #end(about: About, ms: number, what: string, work: () => Promise<unknown>): void {
    this.#parts.timeline.after(ms, () =>
      this.#serve(about, what, async () => {
        await work()
        await this.#recall(about)
        this.#over(about)
      }),
    )
  }

  #over({ at }: About): void {
    this.#busy.delete(at)
  }

  /** Workers hear of it, unless there is nothing left to do. */
  async #recall(about: About): Promise<void> {
    const { crew, store } = this.#parts
    if (!(await this.#isOver(about))) crew.recall(about.at, await store().crawls.find(about.id))
  }

  async #isOver({ id }: About): Promise<boolean> {
    const { status } = await this.#parts.store().crawls.find(id)
    return status !== 'running' && status !== 'paused'
  }

  async #isClosed({ id }: About): Promise<boolean> {
    return (await this.#parts.store().crawls.find(id)).reason !== null
  }

  #serve(about: About, what: string, work: () => Promise<unknown>): void {
    const { desk, onEvent, witness } = this.#parts
    desk.serve(async () => {
      if (this.#removed.has(about.at)) return
      onEvent('owner', `${what} crawl ${about.at}`)
      await work()
      if (!this.#removed.has(about.at)) await witness.inspect(about.id)
    })
  }
}

async function removeWhole(steering: Steering, crawlId: string): Promise<void> {
  await steering.remove(crawlId)
  while (await steering.removeSome());
}
