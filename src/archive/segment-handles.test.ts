import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { SegmentHandles } from './segment-handles.ts'

const READS = 50

test('an open file retains nothing that was read from it', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-handles-'))
  t.after(() => rmSync(dir, { recursive: true }))
  writeFileSync(join(dir, 'a.warc.gz'), '')
  const segmentHandles = new SegmentHandles(dir, 4)
  const held: WeakRef<Buffer>[] = []
  for (let i = 0; i < READS; i++) {
    await segmentHandles.use('a.warc.gz', async () => {
      const bytes = Buffer.alloc(100_000)
      held.push(new WeakRef(bytes))
      return bytes
    })
  }
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // A WeakRef keeps its target until the end of the current job.
  await new Promise(setImmediate)
  collect()
  const alive = held.filter((bytes) => bytes.deref() !== undefined).length
  assert.ok(alive <= 1, `${alive} of ${READS} buffers are alive`)
  await segmentHandles.close()
})
