// A store and an archive in virtual time, with visits whose commits may come late, and retention that can be cut off
// before and after each of its effects. A cut leaves the files as they are at that instant, and everything is opened
// anew from a copy of them.

import { hash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSegments } from '../../src/content/compact.ts'
import { openReader } from '../../src/content/reader.ts'
import { listOpen, recover } from '../../src/content/recover.ts'
import { openWriter } from '../../src/content/writer.ts'
import { type Kept, NO_PAGE_FACTS } from '../../src/engine/crawl/keep.ts'
import { Keeper } from '../../src/engine/crawl/keeper.ts'
import { RetentionRun, type RetentionStep } from '../../src/engine/pages/retention.ts'
import { ManualClock } from '../../src/lib/manual-clock.ts'
import type { Position } from '../../src/ports/archive.ts'
import type { VisitReport } from '../../src/ports/frontier.ts'
import { Bench, only, type TestStore } from '../../src/ports/store.contract.ts'
import { openStore } from '../../src/store/sqlite/store.ts'

export const DAY_MS = 86_400_000
/** Visits that wait for their commit hold a slot of the host. */
const MANY = 1000
const SETTINGS = { maxSegmentBytes: 8000, maxSegmentAgeMs: DAY_MS, isDurable: false }

export interface PlannedVisit {
  url: number
  payload: Buffer
  keepDays: number | null
}

export interface Committed {
  payload: Buffer
  expiresAt: number
}

interface Pending {
  bench: Bench
  report: VisitReport
  release: number
  key: string
  committed: Committed
  bytes: number
}

class Cut extends Error {}

function freshFolder(): string {
  return mkdtempSync(join(tmpdir(), 'orbweaver-retention-'))
}

function answerOf(url: string, fetchedAt: number, payload: Buffer): Kept {
  const head = Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: image/png')
  const digest = hash('sha256', payload, 'hex')
  const [headLength, payloadLength] = [head.length, payload.length]
  const lengths = { headLength, payloadLength, requestLength: 0, extractedLength: 0 }
  const item = { url, fetchedAt, ip: null, ...lengths, payloadDigest: digest, isTruncated: false }
  const place = { position: null, hasPayload: false, resembles: null }
  const request = Buffer.alloc(0)
  const extracted = Buffer.alloc(0)
  return {
    item,
    head,
    payload,
    request,
    extracted,
    page: { ...NO_PAGE_FACTS, ...place, digest, wireBytes: payloadLength },
  }
}

type Opened = Awaited<ReturnType<typeof open>>

/** Each process that opens it has a name of its own. */
async function open(dir: string, clock: ManualClock, name: string) {
  const settings = { ...SETTINGS, writer: name }
  const archiveDir = join(dir, 'archive')
  const store = openStore(join(dir, 'data'), { clock, random: () => 0.5, leaseMs: DAY_MS, create: true })
  const goodOffsets = await store.pages.goodOffsets(await listOpen(archiveDir))
  await recover(archiveDir, (segment) => goodOffsets[segment] ?? 0)
  const segments = openSegments(archiveDir, { ...settings, restMs: DAY_MS }, clock)
  const writer = await openWriter(archiveDir, settings, clock)
  const keeper = new Keeper({ archive: writer, contents: store.contents }, false)
  return { dir, archiveDir, store, segments, writer, keeper, reader: openReader(archiveDir) }
}

export class RetentionWorld {
  readonly clock: ManualClock
  /** Every version that a commit has brought, by url and time. */
  readonly committed = new Map<string, Committed>()
  readonly steps: RetentionStep[] = []
  readonly #pending: Pending[] = []
  /** Effects until the cut. */
  #fuse = Number.POSITIVE_INFINITY
  /** Bytes that were written and that no row was ever to point at. */
  wasted = 0
  #copied = 0
  #starts = 0
  #graceMs = DAY_MS
  now: Opened

  private constructor(opened: Opened, clock: ManualClock) {
    this.now = opened
    this.clock = clock
  }

  static async make(): Promise<RetentionWorld> {
    const clock = new ManualClock(Date.UTC(2026, 0, 1))
    return new RetentionWorld(await open(freshFolder(), clock, 'w0'), clock)
  }

  async visit({ url, payload, keepDays }: PlannedVisit): Promise<void> {
    this.clock.advance(1)
    const bench = new Bench(this.#testStore())
    await bench.start([`a/${url}`], { keepDays, perHost: MANY })
    const lease = only((await bench.lease({ slotsPerHost: this.#pending.length + 1 })).leases)
    const leased = only(lease.urls)
    const visitedAt = this.clock.now()
    const kept = answerOf(leased.url, visitedAt, payload)
    await this.now.keeper.keep([kept])
    const report = { ...bench.visited(lease, leased), page: kept.page }
    const expiresAt = keepDays === null ? Number.POSITIVE_INFINITY : visitedAt + keepDays * DAY_MS
    const key = `${leased.url} ${visitedAt}`
    const bytes = kept.page.position?.length ?? 0
    this.#pending.push({ bench, report, release: lease.token, key, committed: { payload, expiresAt }, bytes })
  }

  /** In order, as one crawl thread does it. A visit whose lease is over does not count. */
  async commitAll(): Promise<void> {
    for (const { bench, report, release, key, committed, bytes } of this.#pending.splice(0)) {
      const { late } = await bench.commit([report], { release: [release] })
      if (late === 0) this.committed.set(key, committed)
      else {
        this.wasted += bytes
        this.now.keeper.startOver()
      }
    }
  }

  cutAfter(effects: number): void {
    this.#fuse = effects
  }

  async step(): Promise<RetentionStep | null> {
    this.#copied = 0
    const { store, segments } = this.now
    const run = new RetentionRun({
      store: this.#fused(store.retention),
      archive: this.#fused(segments),
    })
    try {
      const step = await run.step(this.clock.now(), { graceMs: this.#graceMs, isByHand: true })
      if (step !== null) this.steps.push(step)
      return step
    } catch (error) {
      if (!(error instanceof Cut)) throw error
      this.wasted += this.#copied
      await this.restart()
      return null
    }
  }

  /** As the command does it: nobody else is at work. */
  async finish(): Promise<void> {
    await this.restart()
    this.#graceMs = 0
    for (let steps = 0; (await this.step()) !== null; steps++) if (steps > 2000) throw new Error('retention never ends')
  }

  async restart(): Promise<void> {
    this.#fuse = Number.POSITIVE_INFINITY
    const before = this.now
    const dir = freshFolder()
    cpSync(before.dir, dir, { recursive: true })
    await this.close()
    for (const { bytes } of this.#pending.splice(0)) this.wasted += bytes
    this.#starts += 1
    this.now = await open(dir, this.clock, `w${this.#starts}`)
  }

  get diskBytes(): number[] {
    const { archiveDir } = this.now
    const files = readdirSync(archiveDir).filter((name) => name !== 'locks')
    return files.map((name) => statSync(join(archiveDir, name)).size)
  }

  async close(): Promise<void> {
    const { store, segments, writer, reader, dir } = this.now
    await reader.close()
    await segments.close()
    await writer.close()
    await store.close()
    rmSync(dir, { recursive: true })
  }

  #testStore(): TestStore {
    const reopen = () => Promise.reject(new Error('the world restarts, not the store alone'))
    return { ...this.now.store, clock: this.clock, leaseMs: DAY_MS, reopen }
  }

  #fused<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (_target, name) => {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return async (...args: unknown[]) => {
          this.#burn()
          const answer: unknown = await method.apply(target, args)
          if (name === 'copy') this.#copied = (args[0] as Position[]).reduce((sum, { length }) => sum + length, 0)
          if (name === 'move') this.#copied = 0
          this.#burn()
          return answer
        }
      },
    })
  }

  #burn(): void {
    this.#fuse -= 1
    if (this.#fuse < 0) throw new Cut()
  }
}
