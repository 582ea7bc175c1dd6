import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ArchiveSegments, Retention } from '../../ports/retention.ts'
import { RetentionRun } from './retention-run.ts'

const DAY_MS = 86_400_000

/** A store whose last run was at time 0, and which fails if anything is dropped. */
function storeOfLongAgo(): Retention {
  const recordRun = async (now: number, maxGapMs: number | null) => maxGapMs === null || now <= maxGapMs
  return { recordRun, expire: () => assert.fail('dropped') } as unknown as Retention
}

it('nothing is dropped if the clock may be wrong, unless it is requested explicitly', async () => {
  const run = new RetentionRun({
    store: storeOfLongAgo(),
    archive: {} as ArchiveSegments,
    mayCompact: async () => true,
  })
  const step = (days: number, isManual: boolean) => run.step(days * DAY_MS, { graceMs: 0, isManual })
  assert.deepEqual(await step(401, false), { kind: 'clock_doubtful' })
  await assert.rejects(step(399, false), /dropped/)
  await assert.rejects(step(4000, true), /dropped/)
})
