import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { SubresourceResponse } from '../../ports/renderer.ts'
import { HostPacer } from './host-pacer.ts'

const RESPONSE: SubresourceResponse = {
  status: 200,
  headers: [],
  body: new Uint8Array(),
  isFromCache: false,
  blockedReason: null,
  gapMs: 100,
}

/** Lets promises settle. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

it('requests to a host are made one at a time with their gap; other hosts do not wait', async () => {
  const clock = new ManualClock(0)
  const pacer = new HostPacer(clock)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const run = (host: string, name: string) =>
    pacer.run(host, () => {
      started.push(name)
      return new Promise((resolve) => ends.set(name, () => resolve(RESPONSE)))
    })
  const first = run('a.test', 'a1')
  void run('a.test', 'a2')
  void run('b.test', 'b1')
  await settle()
  assert.deepEqual(started, ['a1', 'b1'])
  ends.get('a1')?.()
  await first
  clock.advance(99)
  await settle()
  assert.deepEqual(started, ['a1', 'b1'])
  clock.advance(1)
  await settle()
  assert.deepEqual(started, ['a1', 'b1', 'a2'])
})
