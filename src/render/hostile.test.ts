// Pages that end quickly; hostile.long.test.ts runs all of them.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startCanaries } from './testing/hostile/canaries.ts'
import { escapes, TRICKS } from './testing/hostile/escapes.ts'
import { NUISANCE } from './testing/hostile/nuisance.ts'
import { runHostile } from './testing/hostile/run-hostile.ts'
import { testClient } from './testing/test-pool.ts'

const QUICK = new Set(['WebSocket', 'WebRTC', 'navigation to another site', 'prototypes that lie'])

it('a hostile page ends in a named outcome and contacts nothing, even without a network namespace', async (t) => {
  const canaries = await startCanaries()
  t.after(() => canaries.close())
  const client = await testClient(t, { browsers: 1 }, { withoutNetwork: null, isSandboxed: false })
  const pages = [...NUISANCE, ...TRICKS, ...escapes(canaries)].filter(({ name }) => QUICK.has(name))
  assert.equal(pages.length, QUICK.size)
  assert.deepEqual(await runHostile(client, pages), [])
  assert.deepEqual(canaries.contacts, [])
})
