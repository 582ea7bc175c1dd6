// Reading what others keep: real health ports in front of real folders.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { openArchiveReader } from '../archive/archive-reader.ts'
import { openArchiveWriter } from '../archive/archive-writer.ts'
import { type ArchiveNodeStatus, openClusterReader } from '../archive/cluster-reader.ts'
import { makeBatch, NOW, SETTINGS, temporaryFolders } from '../archive/testing/archive-batches.ts'
import { ManualClock } from '../lib/testing/manual-clock.ts'
import type { Position } from '../ports/archive.ts'
import { serveHealth } from '../worker/health/health-server.ts'

const freshFolder = temporaryFolders()

/** A folder that a worker has written one answer in. */
async function folderOf(writer: string, payload = Buffer.from(`by ${writer}`)) {
  const dir = await freshFolder()
  const archive = await openArchiveWriter(dir, { ...SETTINGS, maxSegmentBytes: 1e9, writer }, new ManualClock(NOW))
  const [position] = await archive.append(makeBatch([{ payload, head: 'HTTP/1.1 200 OK\r\nContent-Type: image/png' }]))
  await archive.close()
  assert.ok(position !== undefined)
  return { dir, position }
}

/** A worker at work on that folder, and what it was asked for. */
async function worker(t: TestContext, id: string, dir: string, secret: string | null = null) {
  const kept = openArchiveReader(dir)
  const asked: string[] = []
  const rawRecord = (position: Position) => {
    asked.push(position.segment)
    return kept.readRaw(position)
  }
  const source = { notReadyReason: async () => null, metrics: async () => [], rawRecord }
  const server = await serveHealth({ host: '127.0.0.1', port: 0, secret, hosts: [] }, source)
  t.after(async () => {
    await server.close()
    await kept.close()
  })
  const row: ArchiveNodeStatus = { id, name: `m:${id}`, isRunning: true, address: `http://127.0.0.1:${server.port}` }
  return { row, asked }
}

async function readerAmong(rows: ArchiveNodeStatus[], clock = new ManualClock(NOW), secret: string | null = null) {
  const local = openArchiveReader(await freshFolder())
  return openClusterReader({ local, listNodes: async () => rows, secret, clock })
}

const AWAY = (message: RegExp) => ({ code: 'ARCHIVE_AWAY', message })

describe('a reader in a cluster', () => {
  it('has what another worker keeps from that worker, however large', async (t) => {
    const payload = randomBytes(9_000_000)
    const { dir, position } = await folderOf('wa', payload)
    const [a, b] = [await worker(t, 'wa', dir), await worker(t, 'wb', await freshFolder())]
    const reader = await readerAmong([b.row, a.row])
    assert.deepEqual((await reader.read(position)).payload, payload)
    assert.deepEqual([a.asked.length, b.asked.length], [3, 0])
  })

  it('sends the secret that workers want, and says when it is not theirs', async (t) => {
    const { dir, position } = await folderOf('wa')
    const { row } = await worker(t, 'wa', dir, 's3cret')
    const reader = await readerAmong([row], new ManualClock(NOW), 's3cret')
    assert.equal(String((await reader.read(position)).payload), 'by wa')
    for (const secret of [null, 'other']) {
      const wrong = await readerAmong([row], new ManualClock(NOW), secret)
      await assert.rejects(wrong.read(position), AWAY(/its --health-secret differs/))
    }
  })

  it('asks nobody for what is in its own folder', async (t) => {
    const { dir, position } = await folderOf('wa')
    const other = await worker(t, 'wa', dir)
    const reader = openClusterReader({
      local: openArchiveReader(dir),
      listNodes: async () => [other.row],
      secret: null,
      clock: new ManualClock(NOW),
    })
    assert.equal(String((await reader.read(position)).payload), 'by wa')
    assert.deepEqual(other.asked, [])
  })

  it('finds the folder of a worker that has started anew, and remembers who has it', async (t) => {
    const { dir, position } = await folderOf('wa')
    const gone: ArchiveNodeStatus = { id: 'wa', name: 'm:wa', isRunning: false, address: 'http://127.0.0.1:1' }
    const others = [await worker(t, 'wb', await freshFolder()), await worker(t, 'wc', dir)]
    const reader = await readerAmong([gone, ...others.map(({ row }) => row)])
    for (let i = 0; i < 3; i++) assert.equal((await reader.read(position)).status, 200)
    assert.deepEqual(
      others.map(({ asked }) => asked.length),
      [1, 3],
    )
  })

  it('says who keeps what it cannot have', async (t) => {
    const { dir, position } = await folderOf('wa')
    const { row } = await worker(t, 'wa', dir)
    const empty = await worker(t, 'wb', await freshFolder())
    const refused = 'http://127.0.0.1:1'
    for (const [rows, says] of [
      [
        [{ ...row, isRunning: false }],
        /is on worker wa \(m:wa\), which is not running\. Start a worker with its --data/,
      ],
      [[{ ...row, address: null }], /is on worker wa \(m:wa\), which cannot be reached from here/],
      [[{ ...row, address: refused }], /wa \(m:wa\), but asking it at http:\/\/127\.0\.0\.1:1 failed: \S/],
      [[{ ...empty.row, id: 'wa' }], /is on worker wa \(m:wb\), which no longer has it/],
      [[empty.row], /written by the unknown worker wa, and no other worker has it/],
    ] as const) {
      const reader = await readerAmong([...rows])
      await assert.rejects(reader.read(position), AWAY(says))
    }
  })

  it('asks again after a while for what nobody had', async (t) => {
    const { dir, position } = await folderOf('wa')
    const { row } = await worker(t, 'wb', dir)
    const clock = new ManualClock(NOW)
    const rows = [{ ...row, isRunning: false }]
    const reader = await readerAmong(rows, clock)
    await assert.rejects(reader.read(position), { code: 'ARCHIVE_AWAY' })
    rows[0] = row
    await assert.rejects(reader.read(position), { code: 'ARCHIVE_AWAY' })
    clock.advance(5000)
    assert.equal((await reader.read(position)).status, 200)
  })

  it('takes what is damaged at the other end for damaged', async (t) => {
    const { dir, position } = await folderOf('wa')
    const { row } = await worker(t, 'wa', dir)
    const reader = await readerAmong([row])
    const wrong = { ...position, offset: position.offset - 1 }
    await assert.rejects(reader.read(wrong), { code: 'ARCHIVE_BROKEN' })
  })
})
