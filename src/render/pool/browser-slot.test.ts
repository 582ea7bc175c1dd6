import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { waitUntil } from '../../../test/testing/wait-until.ts'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { BrowserProcess } from '../browser/browser-process.ts'
import { startBrowser } from '../browser/browser-process.ts'
import { readUsage } from '../browser/process-usage.ts'
import { CdpConnection } from '../cdp/connection.ts'
import { BrowserSlot } from './browser-slot.ts'
import type { PoolSettings } from './messages.ts'

const SETTINGS: PoolSettings = {
  browsers: 1,
  pagesPerBrowser: 2,
  pagesPerProcess: 2,
  browserMemoryMb: 100_000,
  idleMs: 60_000,
  cacheBytes: 1,
}

/** A process that answers every command, and dies on request. */
function fakeProcess(): BrowserProcess {
  const fromBrowser = new PassThrough()
  const toBrowser = new PassThrough()
  toBrowser.on('data', (chunk: Buffer) => {
    for (const message of chunk.toString().split('\0').filter(Boolean)) {
      const { id } = JSON.parse(message) as { id: number }
      fromBrowser.write(`${JSON.stringify({ id, result: {} })}\0`)
    }
  })
  const connection = new CdpConnection(fromBrowser, toBrowser, 1 << 20)
  const { promise: exited, resolve } = Promise.withResolvers<void>()
  const kill = () => {
    connection.close()
    resolve()
    return exited
  }
  return { connection, pid: process.pid, product: 'fake', exited, kill }
}

function harness() {
  const started: BrowserProcess[] = []
  const start = async () => {
    const browser = fakeProcess()
    started.push(browser)
    return browser
  }
  return { started, slot: new BrowserSlot(SETTINGS, start, new ManualClock()) }
}

describe('the place of a browser', () => {
  it('starts one browser for pages that come at once', async () => {
    const { slot, started } = harness()
    const used = await Promise.all([slot.use(async (browser) => browser), slot.use(async (browser) => browser)])
    assert.equal(started.length, 1)
    assert.equal(used[0], used[1])
    await slot.close()
  })

  it('is free again if its browser dies while it is retiring', async () => {
    const { slot, started } = harness()
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const pages = [slot.use(() => first.promise), slot.use(() => second.promise)]
    first.resolve()
    await pages[0]
    assert.deepEqual([slot.isFree, slot.running], [false, 1])
    await started[0]?.kill()
    await setImmediate()
    second.resolve()
    await pages[1]
    assert.deepEqual([slot.isFree, slot.running, slot.isStarted], [true, 0, false])
    await slot.use(async () => undefined)
    assert.equal(started.length, 2)
    await slot.close()
  })

  it('is closed at once while its browser hangs at the start', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-slot-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const [path, pidFile] = [join(folder, 'browser'), join(folder, 'pid')]
    // Both processes of the group must be killed.
    writeFileSync(path, `#!/bin/sh\nsleep 600 &\necho $! > ${pidFile}\nwait\n`, { mode: 0o755 })
    const location = { path, source: 'setting' as const, env: {} }
    const start = (signal: AbortSignal) => startBrowser(location, { withoutNetwork: null, isSandboxed: false }, signal)
    const slot = new BrowserSlot(SETTINGS, start, new ManualClock())
    const page = assert.rejects(
      slot.use(async () => undefined),
      { code: 'INTERRUPTED' },
    )
    await waitUntil(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n'))
    const startedAt = performance.now()
    await slot.close()
    await page
    assert.ok(performance.now() - startedAt < 10_000)
    const pid = Number(readFileSync(pidFile, 'utf8'))
    await waitUntil(() => readUsage(pid) === null || readUsage(pid)?.residentBytes === 0)
  })
})
