// The reference implementation of Zstandard reads our segments, and warcio reads the unpacked records.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { WARCParser } from 'warcio'
import { openArchiveWriter } from '../../../src/archive/archive-writer.ts'
import { makeBatch, SETTINGS, temporaryFolders } from '../../../src/archive/testing/archive-batches.ts'
import { systemClock } from '../../../src/lib/clock.ts'

const zstd = process.env['TEST_ZSTD'] ?? 'zstd'
const freshFolder = temporaryFolders()

it('a segment is unpacked by zstd and read by warcio, and zstd finds a damaged record', async () => {
  const dir = await freshFolder()
  const writer = await openArchiveWriter(dir, SETTINGS, systemClock)
  const payloads = [Buffer.from('<p>Hello'), randomBytes(300_000), Buffer.alloc(400_000, 'abc')]
  const [first] = await writer.append(makeBatch(payloads.map((payload) => ({ payload, request: 'GET / HTTP/1.1' }))))
  await writer.close()
  const path = join(dir, first?.segment ?? '')
  const listed = execFileSync(zstd, ['-lv', path]).toString()
  assert.match(listed, /# Zstandard Frames: 7/)
  assert.match(listed, /Check: XXH64/)
  const blocks: number[] = []
  const types: string[] = []
  for await (const record of new WARCParser([execFileSync(zstd, ['-dc', path], { maxBuffer: 1e8 })], {
    parseHttp: false,
  })) {
    types.push(record.warcType)
    blocks.push((await record.readFully(false)).length)
  }
  assert.deepEqual(types, ['warcinfo', ...payloads.flatMap(() => ['response', 'request'])])
  assert.ok(payloads.every(({ length }, i) => (blocks[1 + 2 * i] ?? 0) > length))

  const bytes = readFileSync(path)
  const at = (first?.offset ?? 0) + 60
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  writeFileSync(path, bytes)
  assert.throws(() => execFileSync(zstd, ['-tq', path], { stdio: 'ignore' }))
})
