import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { stream } from '../../engine/export/testing/sample-rows.ts'
import { AppError } from '../../lib/errors.ts'
import { writeChunks } from './write-chunks.ts'

const folder = { dir: '' }
before(async () => {
  folder.dir = await mkdtemp(join(tmpdir(), 'orbweaver-write-'))
})
after(() => rm(folder.dir, { recursive: true, force: true }))

async function freshDir(): Promise<string> {
  return mkdtemp(join(folder.dir, 'case-'))
}

function isFileError(error: unknown): boolean {
  return error instanceof AppError && error.code === 'FILE_UNREADABLE'
}

test('a file appears under its name only when it is complete', async () => {
  const dir = await freshDir()
  const path = join(dir, 'urls.csv')
  async function* watched() {
    yield 'a'
    assert.ok(!(await readdir(dir)).includes('urls.csv'))
    yield 'b'
  }
  await writeChunks(watched(), path)
  assert.equal(await readFile(path, 'utf8'), 'ab')
  assert.deepEqual(await readdir(dir), ['urls.csv'])
})

test('if the source fails, the old file stays, no temporary file is left, and the error is passed on', async () => {
  const dir = await freshDir()
  const path = join(dir, 'urls.csv')
  await writeFile(path, 'old')
  async function* failing() {
    yield 'new'
    throw new AppError('STORE_FAILED', 'the store broke')
  }
  await assert.rejects(writeChunks(failing(), path), /the store broke/)
  assert.equal(await readFile(path, 'utf8'), 'old')
  assert.deepEqual(await readdir(dir), ['urls.csv'])
})

test('an existing file keeps its mode, and a symbolic link keeps pointing to it', async () => {
  const dir = await freshDir()
  const path = join(dir, 'real.csv')
  await writeFile(path, 'old')
  await chmod(path, 0o600)
  await symlink(path, join(dir, 'link.csv'))
  await writeChunks(stream(['new']), join(dir, 'link.csv'))
  assert.equal(await readFile(path, 'utf8'), 'new')
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.equal(await readFile(join(dir, 'link.csv'), 'utf8'), 'new')
})

test('a device is written to, not replaced', async () => {
  await writeChunks(stream(['gone']), '/dev/null')
  assert.ok((await stat('/dev/null')).isCharacterDevice())
})

test('the error about an unwritable path names the path', async () => {
  const dir = await freshDir()
  const missing = join(dir, 'no', 'urls.csv')
  await assert.rejects(writeChunks(stream(['x']), missing), (error: Error) => {
    assert.equal(error.message, `Cannot write ${missing}: its directory does not exist.`)
    return isFileError(error)
  })
  await assert.rejects(writeChunks(stream(['x']), dir), /it is a directory/)
  await writeFile(join(dir, 'file'), '')
  await assert.rejects(writeChunks(stream(['x']), join(dir, 'file', 'urls.csv')), isFileError)
})

test('a slow reader slows the source down', async () => {
  const state = { produced: 0, consumed: 0, maxAhead: 0 }
  const slow = new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write(_chunk, _encoding, done) {
      setImmediate(() => {
        state.consumed += 1
        done()
      })
    },
  })
  async function* source() {
    for (; state.produced < 50; state.produced += 1) {
      state.maxAhead = Math.max(state.maxAhead, state.produced - state.consumed)
      yield 'chunk'
    }
  }
  await writeChunks(source(), slow)
  assert.deepEqual(state, { produced: 50, consumed: 50, maxAhead: 0 })
  assert.equal(slow.listenerCount('error'), 0)
})

test('a terminal gets no control characters, a pipe gets all of them', async () => {
  const output = { text: '' }
  const make = () =>
    new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        output.text += chunk
        done()
      },
    })
  await writeChunks(stream(['a\u001b[2J\u009b\u202e\tb\r\n']), Object.assign(make(), { isTTY: true }))
  assert.equal(output.text, 'a\ufffd[2J\ufffd\ufffd\tb\r\n')
  output.text = ''
  await writeChunks(stream(['a\u001b[2J\r\n']), make())
  assert.equal(output.text, 'a\u001b[2J\r\n')
})

test('a reader that disconnects ends the export silently and closes the source', () => {
  const at = JSON.stringify(fileURLToPath(new URL('./write-chunks.ts', import.meta.url)))
  const script = `
    const { writeChunks } = await import(${at})
    async function* endless() {
      try { for (;;) yield 'line\\n'.repeat(10000) } finally { process.stderr.write('closed') }
    }
    await writeChunks(endless(), process.stdout)
  `
  const command = `"$0" --input-type=module -e "$1" | head -n 1; exit "\${PIPESTATUS[0]}"`
  const run = spawnSync('bash', ['-c', command, process.execPath, script], { encoding: 'utf8' })
  assert.deepEqual([run.status, run.stdout, run.stderr], [0, 'line\n', 'closed'])
})
