import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { waitUntil } from '../../test/testing/wait-until.ts'
import { descendants, readUsage } from './browser/process-usage.ts'
import { startCanaries } from './testing/hostile/canaries.ts'
import { escapes, TRICKS } from './testing/hostile/escapes.ts'
import { EXHAUSTION } from './testing/hostile/exhaustion.ts'
import { NUISANCE } from './testing/hostile/nuisance.ts'
import { recentEscapes } from './testing/hostile/recent-escapes.ts'
import { runHostile } from './testing/hostile/run-hostile.ts'
import { pageRequest, testSite } from './testing/render-site.ts'
import { packagedBrowser, testClient } from './testing/test-pool.ts'

const UNCONTAINED = { withoutNetwork: null, isSandboxed: false }
const MEGABYTE = 1 << 20
/** Maximum memory that a browser may keep after hostile pages. */
const MAX_GROWTH_MB = 150

describe('hostile pages', () => {
  it('all end in a named outcome, contact nothing and leave no memory behind', { timeout: 900_000 }, async (t) => {
    const canaries = await startCanaries()
    t.after(() => canaries.close())
    const client = await testClient(t, { pagesPerBrowser: 2 }, UNCONTAINED)
    const pages = [...escapes(canaries), ...recentEscapes(canaries), ...TRICKS, ...NUISANCE, ...EXHAUSTION]
    assert.ok(pages.length >= 50)
    const renderPlain = () => client.render(pageRequest('<p>plain</p>'), testSite({}))
    await renderPlain()
    const before = memoryBelow(process.pid)
    assert.deepEqual(await runHostile(client, pages), [])
    assert.deepEqual(canaries.contacts, [])
    assert.equal((await renderPlain()).html, '<html><head></head><body><p>plain</p></body></html>')
    const growthMb = (memoryBelow(process.pid) - before) / MEGABYTE
    assert.ok(growthMb < MAX_GROWTH_MB, `grew by ${growthMb} MB`)
  })

  it('would be noticed by the canaries', async (t) => {
    const canaries = await startCanaries()
    t.after(() => canaries.close())
    const socket = connect(canaries.tcpPort, '127.0.0.1')
    await once(socket, 'connect')
    const datagrams = createSocket('udp4')
    datagrams.send('hello', canaries.udpPort, '127.0.0.1')
    await waitUntil(() => canaries.contacts.length === 2)
    socket.destroy()
    datagrams.close()
  })

  it('resolve no name', { timeout: 300_000, skip: process.getuid?.() === 0 ? false : 'needs root' }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-dns-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const nameServer = join(folder, 'resolv.conf')
    writeFileSync(nameServer, 'nameserver 127.0.0.1\n')
    await packagedBrowser()
    const script = fileURLToPath(new URL('testing/hostile/watch-dns.ts', import.meta.url))
    const commands = 'ip link set lo up && mount --bind "$1" /etc/resolv.conf && exec "$2" "$3"'
    const args = ['--net', '--mount', 'sh', '-c', commands, 'sh', nameServer, process.execPath, script]
    const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8' })
    assert.deepEqual(JSON.parse(stdout || JSON.stringify(stderr)), { isWatching: true, problems: [], contacts: [] })
  })
})

function memoryBelow(pid: number): number {
  return descendants(pid).reduce((sum, one) => sum + (readUsage(one)?.ownBytes ?? 0), 0)
}
