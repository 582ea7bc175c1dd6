// Runs in a network namespace whose only name server is this process: renders the pages that try to reach addresses,
// and prints the queried names.

import { lookup } from 'node:dns'
import { setTimeout as sleep } from 'node:timers/promises'
import { RenderClient } from '../../pool/render-client.ts'
import { defaultPoolSettings, RenderPool } from '../../pool/render-pool.ts'
import { packagedBrowser } from '../test-pool.ts'
import { startCanaries } from './canaries.ts'
import { escapes } from './escapes.ts'
import { recentEscapes } from './recent-escapes.ts'
import { runHostile } from './run-hostile.ts'

const CONTROL_MS = 10_000

const nameServer = await startCanaries({ tcp: 53, udp: 53 })
// Proof that a lookup would be seen. No answer comes, so nothing is waited for.
lookup('control.test', () => undefined)
for (let waited = 0; waited < CONTROL_MS && nameServer.contacts.length === 0; waited += 50) await sleep(50)
const isWatching = nameServer.contacts.some((contact) => contact.includes('control'))

const canaries = await startCanaries()
const pool = new RenderPool(await packagedBrowser(), defaultPoolSettings(), {
  withoutNetwork: null,
  isSandboxed: false,
})
const client = new RenderClient(pool.connect('test'))
const problems = await runHostile(client, [...escapes(canaries), ...recentEscapes(canaries)])
await pool.close()
const contacts = [...nameServer.contacts.filter((contact) => !contact.includes('control')), ...canaries.contacts]
process.stdout.write(JSON.stringify({ isWatching, problems, contacts }), () => process.exit())
