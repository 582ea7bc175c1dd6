import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it, type TestContext } from 'node:test'
import { Worker } from 'node:worker_threads'
import { newPulse, StallDetector } from './stall-detector.ts'

async function startBeating(t: TestContext): Promise<{ thread: Worker; pulse: SharedArrayBuffer }> {
  const pulse = newPulse()
  const thread = new Worker(new URL('../testing/stall-thread.ts', import.meta.url), { workerData: pulse })
  t.after(() => thread.terminate())
  await once(thread, 'message')
  return { thread, pulse }
}

interface StallRecord {
  stalled: Worker[]
  silent: Worker[]
  next: () => Promise<void>
}

function detectStalls(
  t: TestContext,
  limits: { cpuMs: number; polls: number },
): StallRecord & { detector: StallDetector } {
  const stalled: Worker[] = []
  const silent: Worker[] = []
  let wake = Promise.withResolvers<void>()
  const record = (list: Worker[]) => (thread: Worker) => {
    list.push(thread)
    wake.resolve()
    wake = Promise.withResolvers()
  }
  // Far longer than the interval of the pulse, so that a running thread always shows a change.
  const stallDetector = new StallDetector(
    { pollMs: 500, ...limits },
    { onSilent: record(silent), onStalled: record(stalled) },
  )
  t.after(() => stallDetector.close())
  return { detector: stallDetector, stalled, silent, next: () => wake.promise }
}

describe('a thread', () => {
  it('that spins is stalled once it has used its CPU time, and no other is', async (t) => {
    const [spinning, turning] = await Promise.all([startBeating(t), startBeating(t)])
    const stalls = detectStalls(t, { cpuMs: 300, polls: Number.POSITIVE_INFINITY })
    for (const { thread, pulse } of [spinning, turning]) stalls.detector.add(thread, pulse)
    spinning.thread.postMessage('spin')
    while (stalls.stalled.length === 0) await keepAlive(stalls.next())
    assert.deepEqual(stalls.stalled, [spinning.thread])
    assert.ok(stalls.silent.includes(spinning.thread))
  })

  it('that gets no CPU time is not stalled before the maximum number of polls', async (t) => {
    const waiting = await startBeating(t)
    const stalls = detectStalls(t, { cpuMs: 300, polls: 6 })
    stalls.detector.add(waiting.thread, waiting.pulse)
    waiting.thread.postMessage('wait')
    while (stalls.stalled.length === 0) await keepAlive(stalls.next())
    assert.equal(stalls.silent.length, 6)
  })

  it('that has exited is no longer polled', async (t) => {
    const { thread, pulse } = await startBeating(t)
    const stalls = detectStalls(t, { cpuMs: 0, polls: 1 })
    stalls.detector.add(thread, pulse)
    await thread.terminate()
    const other = await startBeating(t)
    stalls.detector.add(other.thread, other.pulse)
    other.thread.postMessage('spin')
    while (stalls.stalled.length === 0) await keepAlive(stalls.next())
    assert.deepEqual(stalls.stalled, [other.thread])
  })
})

/** The timer of the detector does not keep the process alive. */
async function keepAlive(wait: Promise<void>): Promise<void> {
  const timer = setInterval(() => undefined, 1_000)
  await wait.finally(() => clearInterval(timer))
}
