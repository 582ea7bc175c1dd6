import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it, type TestContext } from 'node:test'
import { Worker } from 'node:worker_threads'
import { newPulse, StallWatch } from './stall-watch.ts'

async function startBeating(t: TestContext): Promise<{ thread: Worker; pulse: SharedArrayBuffer }> {
  const pulse = newPulse()
  const thread = new Worker(new URL('../testing/stall-thread.ts', import.meta.url), { workerData: pulse })
  t.after(() => thread.terminate())
  await once(thread, 'message')
  return { thread, pulse }
}

interface Watching {
  stalled: Worker[]
  silent: Worker[]
  next: () => Promise<void>
}

function watch(t: TestContext, limits: { cpuMs: number; polls: number }): Watching & { watch: StallWatch } {
  const stalled: Worker[] = []
  const silent: Worker[] = []
  let wake = Promise.withResolvers<void>()
  const record = (list: Worker[]) => (thread: Worker) => {
    list.push(thread)
    wake.resolve()
    wake = Promise.withResolvers()
  }
  // Far longer than the interval of the pulse, so that a running thread always shows a change.
  const stallWatch = new StallWatch(
    { pollMs: 500, ...limits },
    { onSilent: record(silent), onStalled: record(stalled) },
  )
  t.after(() => stallWatch.close())
  return { watch: stallWatch, stalled, silent, next: () => wake.promise }
}

describe('a thread', () => {
  it('that spins is stalled once it has used its CPU time, and no other is', async (t) => {
    const [spinning, turning] = await Promise.all([startBeating(t), startBeating(t)])
    const watching = watch(t, { cpuMs: 300, polls: Number.POSITIVE_INFINITY })
    for (const { thread, pulse } of [spinning, turning]) watching.watch.add(thread, pulse)
    spinning.thread.postMessage('spin')
    while (watching.stalled.length === 0) await keepAlive(watching.next())
    assert.deepEqual(watching.stalled, [spinning.thread])
    assert.ok(watching.silent.includes(spinning.thread))
  })

  it('that gets no CPU time is not stalled before the maximum number of polls', async (t) => {
    const waiting = await startBeating(t)
    const watching = watch(t, { cpuMs: 300, polls: 6 })
    watching.watch.add(waiting.thread, waiting.pulse)
    waiting.thread.postMessage('wait')
    while (watching.stalled.length === 0) await keepAlive(watching.next())
    assert.equal(watching.silent.length, 6)
  })

  it('that has exited is no longer watched', async (t) => {
    const { thread, pulse } = await startBeating(t)
    const watching = watch(t, { cpuMs: 0, polls: 1 })
    watching.watch.add(thread, pulse)
    await thread.terminate()
    const other = await startBeating(t)
    watching.watch.add(other.thread, other.pulse)
    other.thread.postMessage('spin')
    while (watching.stalled.length === 0) await keepAlive(watching.next())
    assert.deepEqual(watching.stalled, [other.thread])
  })
})

/** The timer of the watch does not keep the process alive. */
async function keepAlive(wait: Promise<void>): Promise<void> {
  const timer = setInterval(() => undefined, 1_000)
  await wait.finally(() => clearInterval(timer))
}
