// Random histories of the archive: visits that share payloads, late commits, time that passes, retention steps in
// between, and crashes within a step. Every version that has not expired always reads back unchanged, and in the end
// the disk holds little more than needed.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { verifySegments } from '../../src/archive/verify-segments.ts'
import { seededRandom } from '../../src/lib/seeded-random.ts'
import { DAY_MS, RetentionSimulation } from './testing/retention-simulation.ts'

const MOSTLY_DEAD = 0.3
const INFO_BYTES = 500

/** Incompressible bytes, so that lengths determine sizes. */
const PAYLOADS = Array.from({ length: 24 }, (_, i) => {
  const random = seededRandom(i + 1).next
  return Buffer.from(Array.from({ length: 200 + (i % 6) * 500 }, () => Math.floor(random() * 256)))
})

type HistoryStep =
  | { do: 'visit'; visits: { url: number; payload: number; keepDays: number | null }[] }
  | { do: 'commit' }
  | { do: 'wait'; days: number }
  | { do: 'steps'; count: number }
  | { do: 'cut'; effects: number }
  | { do: 'crash' }

const visit = fc.record({
  url: fc.nat(9),
  payload: fc.nat(PAYLOADS.length - 1),
  keepDays: fc.constantFrom(1, 1, 1, 1, 1, 1, 3, null),
})

const historyStep: fc.Arbitrary<HistoryStep> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('visit' as const),
      visits: fc.array(visit, { minLength: 1, maxLength: 8 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('commit' as const) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.constantFrom(0.1, 0.6, 1, 2.5) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('steps' as const), count: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cut' as const), effects: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
)

async function perform(simulation: RetentionSimulation, what: HistoryStep): Promise<void> {
  switch (what.do) {
    case 'visit':
      for (const { payload, ...rest } of what.visits) {
        await simulation.visit({ ...rest, payload: PAYLOADS[payload] ?? Buffer.alloc(0) })
      }
      return
    case 'commit':
      return simulation.commitAll()
    case 'wait':
      return simulation.clock.advance(what.days * DAY_MS)
    case 'steps':
      for (let i = 0; i < what.count; i++) await simulation.step()
      return
    case 'cut':
      simulation.crashAfter(what.effects)
      return
    case 'crash':
      return simulation.restart()
  }
}

/** Returns the bytes that rows refer to. */
async function assertReadable(simulation: RetentionSimulation): Promise<number> {
  const { store, reader } = simulation.opened
  const lengths = new Map<string, number>()
  const seen = new Set<string>()
  for await (const { pageId, position } of store.pages.references()) {
    assert.ok(position !== null)
    lengths.set(`${position.segment} ${position.offset}`, position.length)
    const version = await store.pages.find(pageId)
    assert.ok(version !== null && version.record !== null && version.payload !== null)
    const key = `${version.url} ${version.visitedAt}`
    seen.add(key)
    const [own, brought] = [await reader.read(version.record), await reader.read(version.payload)]
    assert.deepEqual([own.url, own.fetchedAt], [version.url, version.visitedAt])
    assert.equal(brought.sameAs, null)
    assert.ok(simulation.committed.get(key)?.payload.equals(brought.payload), `the payload of ${key}`)
  }
  for (const [key, { expiresAt }] of simulation.committed) {
    if (expiresAt > simulation.clock.now()) assert.ok(seen.has(key), `${key} is gone too early`)
  }
  return [...lengths.values()].reduce((sum, length) => sum + length, 0)
}

const WRONG_COUNTS = `select c.id from contents c where uses <> (select count(*) from pages p where p.content = c.id)
  or (unused_since is null) <> (uses > 0)
  or is_alone = exists (select 1 from pages p where p.segment = c.segment and p.offset = c.offset)`

function assertCounted(simulation: RetentionSimulation): void {
  const db = new DatabaseSync(join(simulation.opened.dir, 'data', 'store.db'), { readOnly: true })
  assert.deepEqual(db.prepare(WRONG_COUNTS).all(), [])
  db.close()
}

for (const isUploaded of [false, true])
  describe(isUploaded ? 'retention of segments in object storage' : 'retention', () => retentionCases(isUploaded))

function retentionCases(isUploaded: boolean): void {
  it('never loses what is needed and frees what is not, for any history and any crash', async (t) => {
    let moved = 0
    let deleted = 0
    await fc.assert(
      fc.asyncProperty(fc.array(historyStep, { minLength: 20, maxLength: 60 }), async (acts) => {
        const simulation = await RetentionSimulation.open({ isUploaded })
        try {
          for (const what of acts) {
            await perform(simulation, what)
            if (what.do === 'steps' || what.do === 'crash') await assertReadable(simulation)
          }
          assertCounted(simulation)
          await simulation.finish()
          assertCounted(simulation)
          const needed = await assertReadable(simulation)
          const disk = simulation.diskBytes
          const total = disk.reduce((sum, bytes) => sum + bytes, 0)
          assert.ok(
            total <= (needed + simulation.wastedBytes + disk.length * INFO_BYTES) / MOSTLY_DEAD,
            `${total} for ${needed}`,
          )
          const problems = (
            await Array.fromAsync(verifySegments(simulation.opened.archiveDir, simulation.opened.objects))
          ).map(({ problem }) => problem)
          assert.ok(problems.every((problem) => problem === null))
          moved += simulation.steps.filter((step) => step.kind === 'moved').length
          deleted += simulation.steps.filter((step) => step.kind === 'deleted').length
        } finally {
          await simulation.close()
        }
      }),
      { numRuns: 30 },
    )
    t.diagnostic(`${moved} moves and ${deleted} deletions`)
    assert.ok(moved > 0 && deleted > 0, `${moved} moves and ${deleted} deletions`)
  })

  it('keeps a segment while a report that refers to it may still be committed', async (t) => {
    const simulation = await RetentionSimulation.open({ isUploaded })
    t.after(() => simulation.close())
    const [payload = Buffer.alloc(0)] = PAYLOADS
    await simulation.visit({ url: 0, payload, keepDays: null })
    await simulation.commitAll()
    await simulation.restart()
    await simulation.visit({ url: 1, payload, keepDays: 1 })
    await simulation.commitAll()
    simulation.clock.advance(0.9 * DAY_MS)
    await simulation.visit({ url: 2, payload, keepDays: null })
    simulation.clock.advance(0.15 * DAY_MS)
    // The segment is too old to be appended to, so this visit starts a new one.
    await simulation.visit({ url: 3, payload, keepDays: null })
    for (let i = 0; i < 5; i++) await simulation.step()
    await simulation.commitAll()
    assert.equal(simulation.diskBytes.length, 3)
    await assertReadable(simulation)
  })
}
