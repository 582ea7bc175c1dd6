import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { waitUntil } from '../../../test/testing/wait-until.ts'
import { packagedBrowser } from '../testing/test-pool.ts'
import { startBrowser } from './browser-process.ts'
import { describeContainment } from './containment.ts'
import { readCpuMs, readUsage, renderersOf } from './process-usage.ts'

const HOLDER = fileURLToPath(new URL('../testing/hold-browser.ts', import.meta.url))
const UNCONTAINED = { withoutNetwork: null, isSandboxed: false }

describe('a browser process', () => {
  it('exits if our process is killed', async (t) => {
    const holder = spawn(process.execPath, [HOLDER], { stdio: ['ignore', 'pipe', 'inherit'] })
    t.after(() => holder.kill('SIGKILL'))
    const [output] = await once(holder.stdout, 'data')
    const pid = Number(String(output))
    assert.notEqual(readUsage(pid), null)
    holder.kill('SIGKILL')
    await waitUntil(() => readUsage(pid)?.residentBytes === 0 || readUsage(pid) === null)
  })

  it('has memory, CPU time and processes that can be read', async (t) => {
    const browser = await startBrowser(await packagedBrowser(), UNCONTAINED)
    t.after(() => browser.kill())
    assert.match(browser.product, /^HeadlessChrome\//)
    assert.ok((readUsage(browser.pid)?.ownBytes ?? 0) > 1_000_000)
    assert.ok((readCpuMs(browser.pid) ?? 0) > 0)
    assert.ok(Array.isArray(renderersOf(browser.pid)))
    await browser.kill()
    assert.equal(readUsage(browser.pid), null)
  })

  it('that cannot be started fails with its last output', async () => {
    const location = { path: '/bin/sh', source: 'setting' as const, env: {} }
    await assert.rejects(startBrowser(location, UNCONTAINED), {
      code: 'BROWSER_FAILED',
      message: /\/bin\/sh did not start: /,
    })
  })

  it('is described by its layers', () => {
    const layers = describeContainment({ withoutNetwork: ['unshare'], isSandboxed: false })
    assert.deepEqual(
      layers.map(({ isUp }) => isUp),
      [true, false],
    )
  })
})
