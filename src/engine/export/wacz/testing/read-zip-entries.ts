// Test support: reads a zip file with 64-bit sizes as its specification says, from its end.

import assert from 'node:assert/strict'
import { inflateRawSync } from 'node:zlib'

export interface ZipFileEntry {
  path: string
  isCompressed: boolean
  bytes: Buffer
  crc: number
  writtenAt: string
}

export function readZipEntries(zip: Buffer): ZipFileEntry[] {
  const end = zip.length - 22
  assert.equal(zip.readUInt32BE(end), 0x504b0506)
  assert.equal(zip.readUInt32BE(end - 20), 0x504b0607)
  const end64 = Number(zip.readBigUInt64LE(end - 12))
  assert.equal(zip.readUInt32BE(end64), 0x504b0606)
  const count = Number(zip.readBigUInt64LE(end64 + 32))
  let at = Number(zip.readBigUInt64LE(end64 + 48))
  const entries: ZipFileEntry[] = []
  for (let i = 0; i < count; i++) {
    assert.equal(zip.readUInt32BE(at), 0x504b0102)
    const method = zip.readUInt16LE(at + 10)
    assert.ok(method === 0 || method === 8, `method ${method}`)
    const nameLength = zip.readUInt16LE(at + 28)
    const path = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const extra = at + 46 + nameLength + 4
    const [length, packed, header] = [0, 8, 16].map((place) => Number(zip.readBigUInt64LE(extra + place)))
    assert.ok(length !== undefined && packed !== undefined && header !== undefined)
    assert.equal(zip.readUInt32BE(header), 0x504b0304)
    assert.equal(zip.readUInt16LE(header + 8), method)
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
    const crc = zip.readUInt32LE(at + 16)
    const after = start + packed
    assert.deepEqual([zip.readUInt32BE(after), zip.readUInt32LE(after + 4)], [0x504b0708, crc])
    assert.deepEqual(
      [zip.readBigUInt64LE(after + 8), zip.readBigUInt64LE(after + 16)],
      [BigInt(packed), BigInt(length)],
    )
    const data = zip.subarray(start, after)
    const bytes = method === 0 ? data : inflateRawSync(data)
    assert.equal(bytes.length, length)
    entries.push({
      path,
      isCompressed: method === 8,
      bytes,
      crc,
      writtenAt: timeOf(zip.readUInt32LE(at + 12)),
    })
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  assert.equal(at, end64)
  return entries
}

function timeOf(dos: number): string {
  const day = [(dos >>> 25) + 1980, (dos >>> 21) & 15, (dos >>> 16) & 31].join('-')
  return `${day} ${[(dos >>> 11) & 31, (dos >>> 5) & 63, (dos & 31) * 2].join(':')}`
}
