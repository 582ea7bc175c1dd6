import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { RpcClient } from '../lib/rpc.ts'
import type { ArchiveWriter } from '../ports/archive.ts'
import { openArchiveReader } from './archive-reader.ts'
import { openArchiveHere, startArchiveThread } from './start-archive.ts'
import { filesIn, makeBatch, SETTINGS, temporaryFolders } from './testing/archive-batches.ts'

const freshFolder = temporaryFolders()

const WAYS = [
  { where: 'in a thread of its own', start: startArchiveThread, threads: 1 },
  { where: 'in this thread', start: openArchiveHere, threads: 0 },
]

describe('an archive', () => {
  for (const { where, start, threads } of WAYS) {
    it(`${where} writes what all clients send, and closes its segment`, async (t) => {
      const started = countThreads(t)
      const dir = await freshFolder()
      const archive = await start({ ...SETTINGS, dir, uploads: null, goodOffsets: {} })
      const clients = [archive.client, new RpcClient(archive.connect())]
      const writers = clients.map((client) => client.service<ArchiveWriter>('archive'))
      const payloads = ['<p>first', '<p>second'].map((text) => Buffer.from(text))
      const positions = await Promise.all(
        writers.map((writer, i) => writer.append(makeBatch([{ payload: payloads[i] ?? Buffer.of() }]))),
      )
      await archive.close()
      await setImmediate()
      assert.equal(started.count, threads)
      assert.ok((await filesIn(dir)).every((file) => !file.endsWith('.open')))
      const reader = openArchiveReader(dir)
      for (const [i, [position]] of positions.entries()) {
        assert.ok(position !== undefined)
        assert.deepEqual((await reader.read(position)).payload, payloads[i])
      }
      reader.close()
      for (const writer of writers) await assert.rejects(writer.append(makeBatch([])), { code: 'STORE_FAILED' })
    })

    it(`${where} reports why it cannot be opened`, async () => {
      const dir = '/proc/no-archive'
      await assert.rejects(start({ ...SETTINGS, dir, uploads: null, goodOffsets: {} }), /no-archive/)
    })
  }
})

function countThreads(t: TestContext): { count: number } {
  const started = { count: 0 }
  const add = () => (started.count += 1)
  process.on('worker', add)
  t.after(() => process.off('worker', add))
  return started
}
