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

const place = { dir: '' }
before(async () => {
  place.dir = await mkdtemp(join(tmpdir(), 'orbweaver-write-'))
})
after(() => rm(place.dir, { recursive: true, force: true }))

async function freshDir(): Promise<string> {
  return mkdtemp(join(place.dir, 'case-'))
}

function isFileError(error: unknown): boolean {
  return error instanceof AppError && error.code === 'FILE_UNREADABLE'
}

test('a file appears under its name only when it is whole', async () => {
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

test('a source that fails leaves the old file and no temporary one, and its error passes', async () => {
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

test('a file that is there keeps its mode, and a link keeps pointing at it', async () => {
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

test('a device is written to and not replaced', async () => {
  await writeChunks(stream(['gone']), '/dev/null')
  assert.ok((await stat('/dev/null')).isCharacterDevice())
})

test('a path that cannot be written is named in a sentence', async () => {
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
  const state = { made: 0, taken: 0, furthestAhead: 0 }
  const slow = new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write(_chunk, _encoding, done) {
      setImmediate(() => {
        state.taken += 1
        done()
      })
    },
  })
  async function* source() {
    for (; state.made < 50; state.made += 1) {
      state.furthestAhead = Math.max(state.furthestAhead, state.made - state.taken)
      yield 'chunk'
    }
  }
  await writeChunks(source(), slow)
  assert.deepEqual(state, { made: 50, taken: 50, furthestAhead: 0 })
  assert.equal(slow.listenerCount('error'), 0)
})

test('a terminal gets no control characters and a pipe gets them all', async () => {
  const got = { text: '' }
  const make = () =>
    new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        got.text += chunk
        done()
      },
    })
  await writeChunks(stream(['a\u001b[2J\u009b\u202e\tb\r\n']), Object.assign(make(), { isTTY: true }))
  assert.equal(got.text, 'a\ufffd[2J\ufffd\ufffd\tb\r\n')
  got.text = ''
  await writeChunks(stream(['a\u001b[2J\r\n']), make())
  assert.equal(got.text, 'a\u001b[2J\r\n')
})

test('a reader that goes away ends the export quietly and closes the source', () => {
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
