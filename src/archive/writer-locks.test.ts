// Runs real processes in one folder: segments of live processes are left alone, segments of dead ones are recovered
// once.

import assert from 'node:assert/strict'
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { systemClock } from '../lib/clock.ts'
import type { Position } from '../ports/archive.ts'
import { openArchiveReader } from './archive-reader.ts'
import { openArchiveWriter } from './archive-writer.ts'
import { openCompaction } from './compaction.ts'
import { recoverSegments } from './recover-segments.ts'
import { filesIn, makeBatch, SETTINGS, temporaryFolders } from './testing/archive-batches.ts'
import { isWriterAlive, listWriters, lockDeadWriter } from './writer-locks.ts'

const freshFolder = temporaryFolders()

interface Child {
  process: ChildProcessByStdio<null, Readable, null>
  /** The next line of its output. */
  next(): Promise<string>
  kill(): Promise<void>
}

function start(t: TestContext, script: string, ...args: string[]): Child {
  const here = new URL('.', import.meta.url).href
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, here, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    process: child,
    next: async () => String((await lines.next()).value),
    async kill() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

const WRITE = `
  const [here, dir, writer] = process.argv.slice(1)
  const { openArchiveWriter } = await import(here + 'archive-writer.ts')
  const settings = { maxSegmentBytes: 1e6, maxSegmentAgeMs: 1e9, isDurable: false, codec: 'zstd', writer }
  const archive = await openArchiveWriter(dir, settings, { now: Date.now })
  const head = Buffer.from('HTTP/1.1 200 OK')
  for (let i = 0; i < 5; i++) {
    const payload = Buffer.from(writer + ' ' + i)
    const { createHash } = await import('node:crypto')
    const item = { url: 'http://a.test/' + i, fetchedAt: 0, ip: null, chunk: 0, offset: 0, isTruncated: false, sameAs: null,
      headLength: head.length, payloadLength: payload.length, requestLength: 0, extractedLength: 0,
      payloadDigest: createHash('sha256').update(payload).digest('hex') }
    console.log(JSON.stringify(await archive.append({ items: [item], chunks: [Buffer.concat([head, payload])] })))
  }
  setInterval(() => undefined, 1000)`

/** A process that has written five records and stays alive, with their positions. */
async function writing(t: TestContext, dir: string, writer: string) {
  const child = start(t, WRITE, dir, writer)
  const positions: Position[] = []
  for (let i = 0; i < 5; i++) positions.push(...(JSON.parse(await child.next()) as Position[]))
  return { child, places: positions, open: join(dir, `${positions[0]?.segment}.open`) }
}

async function assertReadable(dir: string, writer: string, positions: Position[]): Promise<void> {
  const reader = openArchiveReader(dir)
  for (const [i, place] of positions.entries()) {
    assert.equal(String((await reader.read(place)).payload), `${writer} ${i}`)
  }
  await reader.close()
}

describe('processes that write to one folder', () => {
  it('are distinguished from dead ones: only segments of dead ones are recovered', async (t) => {
    const dir = await freshFolder()
    const [living, dying] = await Promise.all([writing(t, dir, 'wa'), writing(t, dir, 'wb')])
    await dying.child.kill()
    const torn = Buffer.from([0x1f, 0x8b, 8, 0, 1, 2])
    await Promise.all([appendFile(living.open, torn), appendFile(dying.open, torn)])
    const before = (await stat(living.open)).size
    const segment = dying.places[0]?.segment ?? ''
    const last = dying.places.at(-1)
    const length = (last?.offset ?? 0) + (last?.length ?? 0)
    assert.deepEqual(await recoverSegments(dir, () => 0), [{ segment, length, cutBytes: torn.length }])
    assert.equal((await stat(living.open)).size, before)
    const segments = openCompaction(dir, SETTINGS, { clock: systemClock })
    assert.deepEqual(await segments.listSealed(1e9), [{ segment, bytes: length }])
    await assertReadable(dir, 'wa', living.places)
    await assertReadable(dir, 'wb', dying.places)
    assert.deepEqual([isWriterAlive(dir, 'wa'), isWriterAlive(dir, 'wb')], [true, false])
    await living.child.kill()
    assert.equal((await recoverSegments(dir, () => 0)).length, 1)
    await assertReadable(dir, 'wa', living.places)
    assert.deepEqual(await listWriters(dir), [])
  })

  it('that start at the same time recover each segment once', async (t) => {
    const dir = await freshFolder()
    for (let round = 0; round < 3; round++) await (await writing(t, dir, `w${round}`)).child.kill()
    const RECOVER = `
      const { recoverSegments } = await import(process.argv[1] + 'recover-segments.ts')
      const done = await recoverSegments(process.argv[2], () => 0)
      console.log(JSON.stringify(done.map(({ segment }) => segment)))`
    const children = [1, 2, 3].map(() => start(t, RECOVER, dir))
    const said = await Promise.all(children.map(({ next }) => next()))
    const recovered = said.flatMap((line) => JSON.parse(line) as string[])
    assert.deepEqual(recovered.sort(), await filesIn(dir))
    assert.equal(recovered.length, 3)
  })

  it('never hold the lock of one writer at the same time, though its file is deleted each time', async (t) => {
    const dir = await freshFolder()
    const TAKE_TURNS = `
      const [here, dir] = process.argv.slice(1)
      const { lockDeadWriter } = await import(here + 'writer-locks.ts')
      const { closeSync, openSync, unlinkSync } = await import('node:fs')
      for (let turns = 0; turns < 20; ) {
        const lock = lockDeadWriter(dir, 'w1')
        if (lock === null) continue
        closeSync(openSync(dir + '/mine', 'wx'))
        unlinkSync(dir + '/mine')
        lock.remove()
        turns += 1
      }`
    const children = [1, 2, 3].map(() => start(t, TAKE_TURNS, dir).process)
    assert.deepEqual(await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0])), [0, 0, 0])
  })
})

describe('a writer', () => {
  it('reserves its name until it is closed, and leaves no lock behind', async () => {
    const dir = await freshFolder()
    const writer = await openArchiveWriter(dir, SETTINGS, systemClock)
    await assert.rejects(openArchiveWriter(dir, SETTINGS, systemClock), {
      code: 'INTERNAL',
      message: /is already named w1\./,
    })
    assert.equal(lockDeadWriter(dir, 'w1'), null)
    const other = await openArchiveWriter(dir, { ...SETTINGS, writer: 'w2' }, systemClock)
    await Promise.all([writer.append(makeBatch([{}])), other.append(makeBatch([{}]))])
    await Promise.all([writer.close(), other.close()])
    assert.deepEqual(await listWriters(dir), [])
    assert.equal((await filesIn(dir)).length, 2)
  })
})
