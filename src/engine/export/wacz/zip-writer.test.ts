import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { crc32 } from 'node:zlib'
import { readZipEntries } from './testing/read-zip-entries.ts'
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
    const entries = readZipEntries(await write(files))
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

  it('compresses entries that are to be compressed', async () => {
    const zip = new ZipWriter(0)
    const text = Buffer.from('the same words again. '.repeat(1000))
    const entry = zip.compressedEntry('a.md', [text.subarray(0, 99), text.subarray(99)])
    const parts: Buffer[] = []
    let next = await entry.next()
    for (; next.done !== true; next = await entry.next()) parts.push(next.value)
    assert.equal(next.value.bytes, text.length)
    assert.equal(next.value.sha256, createHash('sha256').update(text).digest('hex'))
    parts.push(...(await Array.fromAsync(zip.entry('b.txt', [Buffer.from('b')]))), zip.end())
    const file = Buffer.concat(parts)
    assert.ok(file.length < text.length / 10)
    const entries = readZipEntries(file)
    assert.deepEqual(
      entries.map(({ path, isCompressed, bytes, crc }) => [path, isCompressed, bytes.toString(), crc]),
      [
        ['a.md', true, text.toString(), crc32(text)],
        ['b.txt', false, 'b', crc32('b')],
      ],
    )
  })

  it('fails with the error of what it compresses', async () => {
    async function* broken() {
      yield Buffer.from('a')
      throw new Error('unreadable')
    }
    const zip = new ZipWriter(0)
    await assert.rejects(Array.fromAsync(zip.compressedEntry('a.md', broken())), { message: 'unreadable' })
  })

  it('states the time in UTC', async () => {
    const [entry] = readZipEntries(await write({ a: [] }))
    assert.equal(entry?.writtenAt, '2026-1-2 3:4:6')
  })
})
