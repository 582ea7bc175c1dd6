import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '../../lib/errors.ts'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { startRetentionLoop } from './retention-loop.ts'
import type { RetentionStep } from './retention-run.ts'

const STEP: RetentionStep = { kind: 'versions_dropped', versions: 1 }

/** Runs everything that is due now. */
async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await Promise.resolve()
}

describe('retention beside a crawl', () => {
  it('runs a step at the start, the next after a pause, and rests for an hour when nothing is left', async () => {
    const clock = new ManualClock(0)
    const steps: number[] = []
    const left = [STEP, STEP]
    const loop = startRetentionLoop(async (now) => {
      steps.push(now)
      return left.shift() ?? null
    }, clock)
    for (let i = 0; i < 4; i++) {
      await settle()
      clock.advance(clock.nextAt() === null ? 0 : (clock.nextAt() ?? 0) - clock.now())
    }
    await settle()
    assert.deepEqual(steps, [0, 100, 200, 3_600_200, 7_200_200])
    assert.equal(await loop.stop(), null)
    assert.equal(clock.nextAt(), null)
  })

  it('reports that it waits for a trustworthy clock, and continues when there is one', async () => {
    for (const [left, code] of [
      [[{ kind: 'clock_doubtful' }, { kind: 'clock_doubtful' }], 'CLOCK_DOUBTFUL'],
      [[{ kind: 'clock_doubtful' }, STEP], undefined],
    ] as const) {
      const clock = new ManualClock(0)
      const steps: number[] = []
      const loop = startRetentionLoop(async (now) => {
        steps.push(now)
        return left[steps.length - 1] ?? null
      }, clock)
      await settle()
      clock.advance(3_600_000)
      await settle()
      assert.deepEqual(steps, [0, 3_600_000])
      assert.equal((await loop.stop())?.code, code)
    }
  })

  it('stops after the current step', async () => {
    const { promise, resolve } = Promise.withResolvers<RetentionStep>()
    let steps = 0
    const loop = startRetentionLoop(() => {
      steps += 1
      return promise
    }, new ManualClock(0))
    const stopped = loop.stop()
    resolve(STEP)
    assert.equal(await stopped, null)
    assert.equal(steps, 1)
  })

  it('reports why it ended by itself', async () => {
    const failure = new AppError('ARCHIVE_BROKEN', 'no')
    const loop = startRetentionLoop(() => Promise.reject(failure), new ManualClock(0))
    assert.equal(await loop.stop(), failure)
  })
})
