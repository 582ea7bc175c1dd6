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
  process.stdout.write(tryLock(process.argv[2], 0) === null ? 'no' : 'yes')
  setInterval(() => undefined, 1000)`

function run(t: TestContext, script: string, path: string) {
  const url = new URL('./file-lock.ts', import.meta.url).href
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, url, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  return child
}

/** Another process that takes the lock, and what came of it. */
async function holder(t: TestContext, path: string) {
  const child = run(t, HOLD, path)
  const [said] = await once(child.stdout, 'data')
  return { child, said: String(said) }
}

describe('a file lock', () => {
  it('keeps others out until it is released', (t) => {
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

  it('is let go of when its process is killed, and not before', async (t) => {
    const path = freshPath(t)
    const { child, said } = await holder(t, path)
    assert.equal(said, 'yes')
    assert.deepEqual([isLocked(path), tryLock(path, 0)], [true, null])
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.deepEqual([existsSync(path), isLocked(path)], [true, false])
    const lock = tryLock(path, 0)
    assert.notEqual(lock, null)
    assert.equal((await holder(t, path)).said, 'no')
    lock?.release()
  })

  it('in a folder that is not there is an error', (t) => {
    const path = join(freshPath(t), 'none.lock')
    assert.throws(() => tryLock(path, 0))
    assert.equal(isLocked(path), false)
  })
})
