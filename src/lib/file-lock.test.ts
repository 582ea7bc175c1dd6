import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { isLocked, tryLock } from './file-lock.ts'

function freshPath(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-lock-'))
  t.after(() => rmSync(dir, { recursive: true }))
  return join(dir, 'some.lock')
}

const HOLD = `
  const { tryLock } = await import(process.argv[1])
  // Referenced, because a collected lock is released.
  globalThis.lock = tryLock(process.argv[2], 0)
  process.stdout.write(globalThis.lock === null ? 'no' : 'yes')
  setInterval(() => undefined, 1000)`

function run(t: TestContext, script: string, path: string) {
  const url = new URL('./file-lock.ts', import.meta.url).href
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, url, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  return child
}

/** Starts another process that tries to take the lock, and returns its answer. */
async function startHolder(t: TestContext, path: string) {
  const child = run(t, HOLD, path)
  const [output] = await once(child.stdout, 'data')
  return { child, output: String(output) }
}

describe('a file lock', () => {
  it('excludes others until it is released', (t) => {
    const path = freshPath(t)
    assert.equal(isLocked(path), false)
    const lock = tryLock(path, 0)
    assert.deepEqual([isLocked(path), tryLock(path, 0)], [true, null])
    lock?.release()
    assert.equal(isLocked(path), false)
    const next = tryLock(path, 0)
    assert.notEqual(next, null)
    next?.release()
    assert.deepEqual(readdirSync(dirname(path)), ['some.lock'])
  })

  it('is released when its process is killed, and not before', async (t) => {
    const path = freshPath(t)
    const { child, output } = await startHolder(t, path)
    assert.equal(output, 'yes')
    assert.deepEqual([isLocked(path), tryLock(path, 0)], [true, null])
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.deepEqual([existsSync(path), isLocked(path)], [true, false])
    const lock = tryLock(path, 0)
    assert.notEqual(lock, null)
    assert.equal((await startHolder(t, path)).output, 'no')
    lock?.release()
  })

  it('in a missing folder is an error', (t) => {
    const path = join(freshPath(t), 'none.lock')
    assert.throws(() => tryLock(path, 0))
    assert.equal(isLocked(path), false)
  })
})
