// An independent check for tests: warcio reads every segment of a folder, and the digests are recomputed.

import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ZstdOptions, zstdDecompressSync } from 'node:zlib'
import { WARCParser, type WARCRecord } from 'warcio'
import { type ArchiveCodec, RENDERED_TYPE } from '../../ports/archive.ts'
import { codecOf, listSegments, OPEN_SUFFIX } from '../segment-files.ts'

export interface WarcioRecord {
  segment: string
  offset: number
  type: string
  url: string | null
  /** Reads a field of the WARC header. */
  field: (name: string) => string | null
  block: Buffer
  /** Fields of the record that differ from what warcio reads or what we compute. */
  problems: string[]
}

export async function readWithWarcio(dir: string): Promise<WarcioRecord[]> {
  const records: WarcioRecord[] = []
  for (const { name, isOpen } of await listSegments(dir)) {
    for await (const { record, offset } of recordsOf(join(dir, isOpen ? name + OPEN_SUFFIX : name), codecOf(name))) {
      const block = Buffer.from(await record.readFully(false))
      const field = (header: string) => record.warcHeader(header) ?? null
      const url = field('WARC-Target-URI')
      records.push({
        segment: name,
        offset,
        type: record.warcType,
        url,
        field,
        block,
        problems: problemsOf(record.warcType, field, block),
      })
    }
  }
  return records
}

async function* recordsOf(path: string, codec: ArchiveCodec): AsyncGenerator<{ record: WARCRecord; offset: number }> {
  // warcio searches the body for the end of an HTTP head without headers, so the block is split here.
  const options = { parseHttp: false }
  if (codec === 'gzip') {
    const parser = new WARCParser(createReadStream(path), options)
    for await (const record of parser) yield { record, offset: parser.offset }
    return
  }
  // warcio does not read Zstandard frames.
  const bytes = await readFile(path)
  for (let offset = 0; offset < bytes.length; ) {
    // The types lack `info`. Node stops at the end of the first frame.
    const unpacked = zstdDecompressSync(bytes.subarray(offset), { info: true } as ZstdOptions) as unknown as Unpacked
    for await (const record of new WARCParser([unpacked.buffer], options)) yield { record, offset }
    offset += unpacked.engine.bytesWritten
  }
}

interface Unpacked {
  buffer: Buffer
  engine: { bytesWritten: number }
}

const RECORD_ID = /^<urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}>$/
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/

function problemsOf(type: string, field: (name: string) => string | null, block: Buffer): string[] {
  const problems: string[] = []
  const expect = (isSo: boolean, problem: string) => isSo || problems.push(problem)
  expect(RECORD_ID.test(field('WARC-Record-ID') ?? ''), 'record id')
  expect(DATE.test(field('WARC-Date') ?? ''), 'date')
  expect(field('Content-Length') === String(block.length), 'content length')
  expect(field('WARC-Block-Digest') === (type === 'response' ? null : digestOf(block)), 'block digest')
  if (type === 'conversion') {
    expect(URL.canParse(field('WARC-Target-URI') ?? ''), 'target uri')
    expect(['application/json', RENDERED_TYPE].includes(field('Content-Type') ?? ''), 'content type')
    expect(RECORD_ID.test(field('WARC-Refers-To') ?? ''), 'record it refers to')
  } else if (type === 'resource') {
    expect(field('WARC-Target-URI')?.startsWith('urn:view:http') === true, 'target uri')
    expect(field('Content-Type') === 'image/webp', 'content type')
    expect(RECORD_ID.test(field('WARC-Concurrent-To') ?? ''), 'record it belongs to')
  } else if (type !== 'warcinfo') {
    const payloadAt = block.indexOf('\r\n\r\n') + 4
    expect(URL.canParse(field('WARC-Target-URI') ?? ''), 'target uri')
    const message = type === 'request' ? 'request' : 'response'
    expect(field('Content-Type') === `application/http; msgtype=${message}`, 'content type')
    if (type === 'response') {
      expect(field('WARC-Payload-Digest') === digestOf(block.subarray(payloadAt)), 'payload digest')
    } else {
      expect(payloadAt === block.length, 'payload of a revisit or a request')
    }
  }
  return problems
}

function digestOf(bytes: Buffer): string {
  return `sha256:${hash('sha256', bytes, 'hex')}`
}
