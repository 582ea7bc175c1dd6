// A selection; hostile.long.test.ts runs all pages.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startCanaries } from './testing/hostile/canaries.ts'
import { escapes, TRICKS } from './testing/hostile/escapes.ts'
import { EXHAUSTION } from './testing/hostile/exhaustion.ts'
import { NUISANCE } from './testing/hostile/nuisance.ts'
import { recentEscapes } from './testing/hostile/recent-escapes.ts'
import { runHostile } from './testing/hostile/run-hostile.ts'
import { testClient } from './testing/test-pool.ts'

const SELECTED = new Set([
  'an endless loop',
  'an allocation bomb of buffers',
  'a DOM bomb',
  'a storm of alerts',
  'navigation to another site',
  'navigation to about:blank',
  'downloads',
  'prototypes that lie',
  'WebSocket',
  'WebRTC',
  'hints: preconnect, dns-prefetch, prefetch, preload, prerender',
  'a service worker that exists',
  'headers that hint',
  'fetchLater, and requests while the page is left',
])

describe('a hostile page', () => {
  it('ends in a named outcome and contacts nothing, even without a network namespace', async (t) => {
    const canaries = await startCanaries()
    t.after(() => canaries.close())
    const client = await testClient(t, { browsers: 2 }, { withoutNetwork: null, isSandboxed: false })
    const pages = [...EXHAUSTION, ...NUISANCE, ...TRICKS, ...escapes(canaries), ...recentEscapes(canaries)].filter(
      ({ name }) => SELECTED.has(name),
    )
    assert.equal(pages.length, SELECTED.size)
    assert.deepEqual(await runHostile(client, pages), [])
    assert.deepEqual(canaries.contacts, [])
  })
})
