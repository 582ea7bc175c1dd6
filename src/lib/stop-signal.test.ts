import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { StopSignal } from './stop-signal.ts'
import { ManualClock } from './testing/manual-clock.ts'

describe('a stop signal', () => {
  it('ends every wait, and those that begin later', async () => {
    const stopSignal = new StopSignal()
    const never = new Promise(() => undefined)
    const waits = [stopSignal.waitFor(never), stopSignal.sleep(1000, new ManualClock()), stopSignal.waitFor(never)]
    assert.equal(stopSignal.isStopped, false)
    stopSignal.stop()
    await Promise.all(waits)
    await stopSignal.waitFor(never)
    await stopSignal.sleep(1000, new ManualClock())
    assert.equal(stopSignal.isStopped, true)
  })

  it('lets a wait end by itself', async () => {
    const stopSignal = new StopSignal()
    const clock = new ManualClock()
    await stopSignal.waitFor(Promise.resolve())
    await assert.rejects(stopSignal.waitFor(Promise.reject(new Error('it failed'))), /it failed/)
    const slept = stopSignal.sleep(1000, clock)
    clock.advance(1000)
    await slept
  })

  it('keeps nothing of waits that have ended', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const stopSignal = new StopSignal()
    const waitForObject = async () => {
      const object = {}
      await stopSignal.waitFor(Promise.resolve(object))
      return new WeakRef(object)
    }
    const reference = await waitForObject()
    await new Promise(setImmediate)
    collect()
    assert.equal(reference.deref(), undefined)
    stopSignal.stop()
  })
})
