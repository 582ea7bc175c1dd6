// Reads records archived by other workers, through real health servers over real folders.

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

/** A folder in which a worker has archived one response. */
async function makeFolder(writer: string, payload = Buffer.from(`by ${writer}`)) {
  const dir = await freshFolder()
  const archive = await openArchiveWriter(dir, { ...SETTINGS, maxSegmentBytes: 1e9, writer }, new ManualClock(NOW))
  const [position] = await archive.append(makeBatch([{ payload, head: 'HTTP/1.1 200 OK\r\nContent-Type: image/png' }]))
  await archive.close()
  assert.ok(position !== undefined)
  return { dir, position }
}

/** A running worker that serves the folder, with the requests it received. */
async function startWorker(t: TestContext, id: string, dir: string, secret: string | null = null) {
  const archiveReader = openArchiveReader(dir)
  const requests: string[] = []
  const rawRecord = (position: Position) => {
    requests.push(position.segment)
    return archiveReader.readRaw(position)
  }
  const source = { notReadyReason: async () => null, metrics: async () => [], rawRecord }
  const server = await serveHealth({ host: '127.0.0.1', port: 0, mayUseOtherPort: false, secret, hosts: [] }, source)
  t.after(async () => {
    await server.close()
    await archiveReader.close()
  })
  const row: ArchiveNodeStatus = { id, name: `m:${id}`, isRunning: true, address: `http://127.0.0.1:${server.port}` }
  return { row, requests }
}

async function openReader(rows: ArchiveNodeStatus[], clock = new ManualClock(NOW), secret: string | null = null) {
  const local = openArchiveReader(await freshFolder())
  return openClusterReader({ local, listNodes: async () => rows, secret, clock })
}

const awayError = (message: RegExp) => ({ code: 'ARCHIVE_AWAY', message })

describe('a reader in a cluster', () => {
  it('reads large records from the worker that archived them', async (t) => {
    const payload = randomBytes(9_000_000)
    const { dir, position } = await makeFolder('wa', payload)
    const [a, b] = [await startWorker(t, 'wa', dir), await startWorker(t, 'wb', await freshFolder())]
    const reader = await openReader([b.row, a.row])
    assert.deepEqual((await reader.read(position)).payload, payload)
    assert.deepEqual([a.requests.length, b.requests.length], [3, 0])
  })

  it('sends the secret of the workers, and reports a wrong one', async (t) => {
    const { dir, position } = await makeFolder('wa')
    const { row } = await startWorker(t, 'wa', dir, 's3cret')
    const reader = await openReader([row], new ManualClock(NOW), 's3cret')
    assert.equal(String((await reader.read(position)).payload), 'by wa')
    for (const secret of [null, 'other']) {
      const wrong = await openReader([row], new ManualClock(NOW), secret)
      await assert.rejects(wrong.read(position), awayError(/its --health-secret differs/))
    }
  })

  it('reads its own folder without requests', async (t) => {
    const { dir, position } = await makeFolder('wa')
    const other = await startWorker(t, 'wa', dir)
    const reader = openClusterReader({
      local: openArchiveReader(dir),
      listNodes: async () => [other.row],
      secret: null,
      clock: new ManualClock(NOW),
    })
    assert.equal(String((await reader.read(position)).payload), 'by wa')
    assert.deepEqual(other.requests, [])
  })

  it('finds the folder of a restarted worker, and remembers its owner', async (t) => {
    const { dir, position } = await makeFolder('wa')
    const gone: ArchiveNodeStatus = { id: 'wa', name: 'm:wa', isRunning: false, address: 'http://127.0.0.1:1' }
    const others = [await startWorker(t, 'wb', await freshFolder()), await startWorker(t, 'wc', dir)]
    const reader = await openReader([gone, ...others.map(({ row }) => row)])
    for (let i = 0; i < 3; i++) assert.equal((await reader.read(position)).status, 200)
    assert.deepEqual(
      others.map(({ requests }) => requests.length),
      [1, 3],
    )
  })

  it('names the worker of a record that cannot be read', async (t) => {
    const { dir, position } = await makeFolder('wa')
    const { row } = await startWorker(t, 'wa', dir)
    const empty = await startWorker(t, 'wb', await freshFolder())
    const closedAddress = 'http://127.0.0.1:1'
    for (const [rows, says] of [
      [
        [{ ...row, isRunning: false }],
        /is on worker wa \(m:wa\), which is not running\. Start a worker with its --data/,
      ],
      [[{ ...row, address: null }], /is on worker wa \(m:wa\), which cannot be reached from here/],
      [[{ ...row, address: closedAddress }], /wa \(m:wa\), but asking it at http:\/\/127\.0\.0\.1:1 failed: \S/],
      [[{ ...empty.row, id: 'wa' }], /is on worker wa \(m:wb\), which no longer has it/],
      [[empty.row], /written by the unknown worker wa, and no other worker has it/],
    ] as const) {
      const reader = await openReader([...rows])
      await assert.rejects(reader.read(position), awayError(says))
    }
  })

  it('retries after a while for records that no worker had', async (t) => {
    const { dir, position } = await makeFolder('wa')
    const { row } = await startWorker(t, 'wb', dir)
    const clock = new ManualClock(NOW)
    const rows = [{ ...row, isRunning: false }]
    const reader = await openReader(rows, clock)
    await assert.rejects(reader.read(position), { code: 'ARCHIVE_AWAY' })
    rows[0] = row
    await assert.rejects(reader.read(position), { code: 'ARCHIVE_AWAY' })
    clock.advance(5000)
    assert.equal((await reader.read(position)).status, 200)
  })

  it('reports a record that is damaged on the other worker', async (t) => {
    const { dir, position } = await makeFolder('wa')
    const { row } = await startWorker(t, 'wa', dir)
    const reader = await openReader([row])
    const wrong = { ...position, offset: position.offset - 1 }
    await assert.rejects(reader.read(wrong), { code: 'ARCHIVE_BROKEN' })
  })
})
