// A store and an archive in virtual time, with visits whose commits may be late, and retention that can crash before
// and after each of its effects. A crash leaves the files as they are at that moment, and everything is reopened from a
// copy of them, and of the bucket if there is one.

import { hash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { openArchiveReader } from '../../../src/archive/archive-reader.ts'
import { openArchiveWriter } from '../../../src/archive/archive-writer.ts'
import { openCompaction } from '../../../src/archive/compaction.ts'
import { openObjectReader } from '../../../src/archive/objects/object-reader.ts'
import { SegmentUploader } from '../../../src/archive/objects/segment-uploader.ts'
import { listOpenSegments, recoverSegments } from '../../../src/archive/recover-segments.ts'
import { MemoryObjects } from '../../../src/archive/testing/memory-objects.ts'
import { ResponseArchiver } from '../../../src/engine/crawl/report/response-archiver.ts'
import { ChunkPool } from '../../../src/engine/crawl/report/response-batch.ts'
import { NO_PAGE_FACTS, type ResponseToArchive } from '../../../src/engine/crawl/visit/response-to-archive.ts'
import { RetentionRun, type RetentionStep } from '../../../src/engine/pages/retention-run.ts'
import { ManualClock } from '../../../src/lib/testing/manual-clock.ts'
import type { Position } from '../../../src/ports/archive.ts'
import { only, StoreHarness, type TestStore } from '../../../src/ports/contracts/testing/store-harness.ts'
import type { VisitReport } from '../../../src/ports/visits.ts'
import { openStore } from '../../../src/store/sqlite/store.ts'

export const DAY_MS = 86_400_000
/** Visits that wait for their commit occupy a slot of the host. */
const MAX_PENDING = 1000
/** About two segments. */
const CACHE_BYTES = 16_000
const SETTINGS = { maxSegmentBytes: 8000, maxSegmentAgeMs: DAY_MS, isDurable: false, codec: 'zstd' } as const

export interface PlannedVisit {
  url: number
  payload: Buffer
  keepDays: number | null
}

export interface CommittedVersion {
  payload: Buffer
  expiresAt: number
}

interface PendingVisit {
  bench: StoreHarness
  report: VisitReport
  release: number
  key: string
  committed: CommittedVersion
  bytes: number
}

class SimulatedCrash extends Error {}

function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'orbweaver-retention-'))
}

function listFiles(dir: string): [name: string, bytes: number | null][] {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort()
  return names.map((name) => [name, statSync(join(dir, name), { throwIfNoEntry: false })?.size ?? null])
}

/**
 * Renames and deletions that are in progress in the thread pool finish during the copy; then the copy is made again.
 */
function copyFolder(from: string): string {
  for (;;) {
    const to = makeFolder()
    const files = listFiles(from)
    try {
      cpSync(from, to, { recursive: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
    if (isDeepStrictEqual(listFiles(from), files) && isDeepStrictEqual(listFiles(to), files)) return to
    rmSync(to, { recursive: true })
  }
}

function makeResponse(url: string, fetchedAt: number, payload: Buffer): ResponseToArchive {
  const head = Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: image/png')
  const digest = hash('sha256', payload, 'hex')
  const [headLength, payloadLength] = [head.length, payload.length]
  const lengths = { headLength, payloadLength, requestLength: 0, extractedLength: 0 }
  const item = { url, fetchedAt, ip: null, ...lengths, payloadDigest: digest, isTruncated: false }
  const noRecord = { position: null, hasPayload: false, resembles: null }
  const request = Buffer.alloc(0)
  const extracted = Buffer.alloc(0)
  return {
    item,
    head,
    payload,
    request,
    extracted,
    screenshot: Buffer.alloc(0),
    isReported: false,
    isCertain: true,
    page: { ...NO_PAGE_FACTS, ...noRecord, digest, wireBytes: payloadLength },
  }
}

type OpenedStores = Awaited<ReturnType<typeof openStores>>

interface OpenOptions {
  /** Name of the process; each process that opens the archive has its own. */
  name: string
  /** Null if segments stay in the folder. */
  objects: MemoryObjects | null
}

async function openStores(dir: string, clock: ManualClock, { name, objects }: OpenOptions) {
  const archiveDir = join(dir, 'archive')
  const store = openStore(join(dir, 'data'), { clock, random: () => 0.5, leaseMs: DAY_MS, create: true })
  const goodOffsets = await store.pages.lastReferencedOffsets(await listOpenSegments(archiveDir))
  await recoverSegments(archiveDir, (segment) => goodOffsets[segment] ?? 0)
  const uploader =
    objects === null ? null : new SegmentUploader({ dir: archiveDir, objects, clock, cacheBytes: CACHE_BYTES })
  await uploader?.start()
  const settings = { ...SETTINGS, writer: name, ...(uploader && { onSealed: uploader.add.bind(uploader) }) }
  const uploaded = objects !== null && uploader !== null ? { objects, uploader } : null
  const segments = openCompaction(archiveDir, settings, { clock, uploaded })
  const local = openArchiveReader(archiveDir)
  const reader = objects === null ? local : openObjectReader({ local, objects, clock })
  const writer = await openArchiveWriter(archiveDir, settings, clock)
  const dependencies = { archive: writer, contents: store.contents, chunkPool: new ChunkPool() }
  const responseArchiver = new ResponseArchiver(dependencies, false)
  return { dir, archiveDir, store, segments, writer, archiver: responseArchiver, reader, uploader, objects }
}

export class RetentionSimulation {
  readonly clock: ManualClock
  /** Every committed version, by URL and time. */
  readonly committed = new Map<string, CommittedVersion>()
  readonly steps: RetentionStep[] = []
  readonly #pending: PendingVisit[] = []
  /** Number of effects until the crash. */
  #effectsUntilCrash = Number.POSITIVE_INFINITY
  /** Bytes that were written but that no row will ever refer to. */
  wastedBytes = 0
  #copied = 0
  #starts = 0
  #graceMs = DAY_MS
  opened: OpenedStores

  private constructor(opened: OpenedStores, clock: ManualClock) {
    this.opened = opened
    this.clock = clock
  }

  static async open({ isUploaded } = { isUploaded: false }): Promise<RetentionSimulation> {
    const clock = new ManualClock(Date.UTC(2026, 0, 1))
    const objects = isUploaded ? new MemoryObjects(() => clock.now()) : null
    return new RetentionSimulation(await openStores(makeFolder(), clock, { name: 'w0', objects }), clock)
  }

  async visit({ url, payload, keepDays }: PlannedVisit): Promise<void> {
    this.clock.advance(1)
    const storeHarness = new StoreHarness(this.#testStore())
    await storeHarness.start([`a/${url}`], { keepDays, perHost: MAX_PENDING })
    const lease = only((await storeHarness.lease({ slotsPerHost: this.#pending.length + 1 })).leases)
    const leased = only(lease.urls)
    const visitedAt = this.clock.now()
    const responseToArchive = makeResponse(leased.url, visitedAt, payload)
    const batch = this.opened.archiver.newBatch()
    batch.add(responseToArchive)
    await this.opened.archiver.archive(batch)
    const report = { ...storeHarness.visitedReport(lease, leased), page: responseToArchive.page }
    const expiresAt = keepDays === null ? Number.POSITIVE_INFINITY : visitedAt + keepDays * DAY_MS
    const key = `${leased.url} ${visitedAt}`
    const bytes = responseToArchive.page.position?.length ?? 0
    this.#pending.push({
      bench: storeHarness,
      report,
      release: lease.token,
      key,
      committed: { payload, expiresAt },
      bytes,
    })
  }

  /** Commits in order, as one crawl thread does. A visit under an expired lease does not count. */
  async commitAll(): Promise<void> {
    for (const { bench, report, release, key, committed, bytes } of this.#pending.splice(0)) {
      const { late } = await bench.commit([report], { release: [release] })
      if (late === 0) this.committed.set(key, committed)
      else {
        this.wastedBytes += bytes
        this.opened.archiver.reset()
      }
    }
  }

  crashAfter(effects: number): void {
    this.#effectsUntilCrash = effects
  }

  async step(): Promise<RetentionStep | null> {
    this.#copied = 0
    const { store, segments } = this.opened
    const run = new RetentionRun({
      store: this.#withCrashes(store.retention),
      archive: this.#withCrashes(segments),
      mayCompact: async () => true,
    })
    try {
      const step = await run.step(this.clock.now(), { graceMs: this.#graceMs, isManual: true })
      if (step !== null) this.steps.push(step)
      return step
    } catch (error) {
      if (!(error instanceof SimulatedCrash)) throw error
      this.wastedBytes += this.#copied
      await this.restart()
      return null
    }
  }

  /** Runs retention as the command does: no other process is running. */
  async finish(): Promise<void> {
    await this.restart()
    this.#graceMs = 0
    while (((await this.opened.uploader?.status())?.waitingSegments ?? 0) > 0) await new Promise(setImmediate)
    for (let steps = 0; (await this.step()) !== null; steps++)
      if (steps > 2000) throw new Error('Retention does not end.')
  }

  async restart(): Promise<void> {
    this.#effectsUntilCrash = Number.POSITIVE_INFINITY
    const before = this.opened
    const dir = copyFolder(before.dir)
    const objects = before.objects?.copy() ?? null
    await this.close()
    for (const { bytes } of this.#pending.splice(0)) this.wastedBytes += bytes
    this.#starts += 1
    this.opened = await openStores(dir, this.clock, { name: `w${this.#starts}`, objects })
  }

  /** A segment that is a file and an object counts once. */
  get diskBytes(): number[] {
    const { archiveDir, objects } = this.opened
    const files = readdirSync(archiveDir).filter((name) => name !== 'locks' && name !== 'cache')
    const sizes = new Map(files.map((name) => [name, statSync(join(archiveDir, name)).size]))
    for (const [segment, { bytes }] of objects?.objects ?? []) sizes.set(segment, bytes.length)
    return [...sizes.values()]
  }

  async close(): Promise<void> {
    const { store, segments, writer, reader, uploader, dir } = this.opened
    await reader.close()
    await segments.close()
    await writer.close()
    await uploader?.close(0)
    await store.close()
    rmSync(dir, { recursive: true })
  }

  #testStore(): TestStore {
    const reopen = () => Promise.reject(new Error('The whole simulation restarts, not only the store.'))
    return { ...this.opened.store, clock: this.clock, leaseMs: DAY_MS, reopen }
  }

  #withCrashes<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (_target, name) => {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return async (...args: unknown[]) => {
          this.#countEffect()
          const result: unknown = await method.apply(target, args)
          if (name === 'copy') this.#copied = (args[0] as Position[]).reduce((sum, { length }) => sum + length, 0)
          if (name === 'move') this.#copied = 0
          this.#countEffect()
          return result
        }
      },
    })
  }

  #countEffect(): void {
    this.#effectsUntilCrash -= 1
    if (this.#effectsUntilCrash < 0) throw new SimulatedCrash()
  }
}
