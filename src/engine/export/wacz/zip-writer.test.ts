import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { crc32 } from 'node:zlib'
import { readStoredEntries } from './testing/read-stored-entries.ts'
import { ZipWriter } from './zip-writer.ts'

async function write(files: Record<string, Buffer[]>): Promise<Buffer> {
  const zip = new ZipWriter(Date.UTC(2026, 0, 2, 3, 4, 6))
  const parts: Buffer[] = []
  for (const [path, chunks] of Object.entries(files)) parts.push(...(await Array.fromAsync(zip.entry(path, chunks))))
  return Buffer.concat([...parts, zip.end()])
}

describe('a zip writer', () => {
  it('stores every entry as it is', async () => {
    const files = { 'a/one.txt': [Buffer.from('one'), Buffer.from(' two')], 'é.bin': [], 'b.txt': [Buffer.from('x')] }
    const entries = readStoredEntries(await write(files))
    assert.deepEqual(
      entries.map(({ path, bytes }) => [path, bytes.toString()]),
      [
        ['a/one.txt', 'one two'],
        ['é.bin', ''],
        ['b.txt', 'x'],
      ],
    )
    assert.deepEqual(
      entries.map(({ crc, bytes }) => crc - crc32(bytes)),
      [0, 0, 0],
    )
  })

  it('states the time in UTC', async () => {
    const [entry] = readStoredEntries(await write({ a: [] }))
    assert.equal(entry?.writtenAt, '2026-1-2 3:4:6')
  })
})
