// CPU time and bytes of compressing an archive record, by every method that WARC readers accept and by some that they
// do not.

import { hash } from 'node:crypto'
import { constants, deflateRawSync, gzipSync, type ZlibOptions, zstdCompressSync } from 'node:zlib'
import { packBatch } from '../../src/archive/warc/pack-batch.ts'
import { RecordPacker } from '../../src/archive/warc/record-packer.ts'
import type { ArchiveCodec, ArchiveItem } from '../../src/ports/archive.ts'
import { makePage, ONE_HOST } from '../../test/sites/bench-site.ts'
import { median } from '../../test/testing/statistics.ts'

export interface CompressionResult {
  name: string
  /** Median over the rounds, of all threads of the process. */
  cpuMicros: number
  bytes: number
}

const PAGES = 128
const ROUNDS = 15
const WARM_UP = 3
const HEAD = Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nTransfer-Encoding: chunked')
const REQUEST = Buffer.from(
  'GET /articles/1.html HTTP/1.1\r\nhost: 127.0.0.1\r\nuser-agent: Orbweaver\r\naccept: text/html',
)

type Pack = (page: Buffer, index: number) => number

const gzip =
  (options: ZlibOptions): Pack =>
  (page) =>
    gzipSync(page, { chunkSize: 4096, ...options }).length

const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Rounds alternate between the methods, so that other load on the machine affects all of them alike. */
export function measureCompression(): CompressionResult[] {
  const pages = Array.from({ length: PAGES }, (_, i) => Buffer.from(makePage(ONE_HOST, 0, i * 7)))
  const items = pages.map((page, i) => itemOf(page, i))
  const record = (codec: ArchiveCodec, request: Buffer): Pack => {
    const recordPacker = new RecordPacker(codec)
    return (page, i) => {
      const item = { ...(items[i] as ArchiveItem), requestLength: request.length }
      return packBatch({ items: [item], chunks: [Buffer.concat([HEAD, page, request])] }, recordPacker).length
    }
  }
  const ways: [string, Pack][] = [
    ['a whole record, zstd', record('zstd', Buffer.alloc(0))],
    ['a whole record, gzip', record('gzip', Buffer.alloc(0))],
    ['a whole record with its request, zstd', record('zstd', REQUEST)],
    ['gzip, level 1', gzip({ level: 1 })],
    ['gzip, level 1, least memory', gzip({ level: 1, windowBits: 14, memLevel: 6 })],
    ['gzip, level 1, most memory', gzip({ level: 1, memLevel: 9 })],
    ['gzip, level 1, fixed codes', gzip({ level: 1, strategy: constants.Z_FIXED })],
    ['gzip, level 2', gzip({ level: 2 })],
    ['gzip, level 6', gzip({ level: 6 })],
    ['gzip, runs only', gzip({ level: 1, strategy: constants.Z_RLE })],
    ['gzip, single bytes only', gzip({ level: 1, strategy: constants.Z_HUFFMAN_ONLY })],
    ['gzip, stored', gzip({ level: 0, chunkSize: 16_384 })],
    ['deflate without a frame, level 1', (page) => deflateRawSync(page, { level: 1, chunkSize: 4096 }).length],
    ['zstd, level 1', (page) => zstdCompressSync(page, ZSTD).length],
    ['SHA-256, once', (page) => hash('sha256', page, 'buffer').length],
    ['SHA-1, once', (page) => hash('sha1', page, 'buffer').length],
  ]
  const runs = ways.map(([name, pack]) => ({ name, pack, micros: [] as number[], bytes: 0 }))
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    for (const run of runs) {
      const before = process.cpuUsage()
      run.bytes = pages.reduce((sum, page, i) => sum + run.pack(page, i), 0)
      const { user, system } = process.cpuUsage(before)
      if (round >= WARM_UP) run.micros.push((user + system) / PAGES)
    }
  }
  return runs.map(({ name, micros, bytes }) => ({ name, cpuMicros: median(micros), bytes: Math.round(bytes / PAGES) }))
}

function itemOf(page: Buffer, i: number): ArchiveItem {
  return {
    url: `http://127.0.0.1:8080/articles/${i}.html`,
    fetchedAt: 1_800_000_000_000 + i,
    ip: '127.0.0.1',
    chunk: 0,
    offset: 0,
    headLength: HEAD.length,
    payloadLength: page.length,
    payloadDigest: hash('sha256', page, 'hex'),
    isTruncated: false,
    sameAs: null,
    requestLength: 0,
    extractedLength: 0,
  }
}
