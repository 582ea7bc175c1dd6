import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { WARCParser } from 'warcio'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { ArchiveCodec } from '../../ports/archive.ts'
import { openArchiveWriter } from '../archive-writer.ts'
import {
  filesIn,
  HEAD,
  makeBatch,
  NOW,
  SETTINGS,
  type TestResponse,
  temporaryFolders,
} from '../testing/archive-batches.ts'
import { readWithWarcio, type WarcioRecord } from '../testing/read-with-warcio.ts'

const freshFolder = temporaryFolders()

async function written(responses: TestResponse[], codec: ArchiveCodec = 'zstd'): Promise<string> {
  const dir = await freshFolder()
  const writer = await openArchiveWriter(dir, { ...SETTINGS, codec }, new ManualClock(NOW))
  await writer.append(makeBatch(responses))
  await writer.close()
  return dir
}

/** The records as warcio reads them. */
async function recordsOf(responses: TestResponse[]): Promise<WarcioRecord[]> {
  return readWithWarcio(await written(responses))
}

function fieldsOf(record: WarcioRecord | undefined, names: string[]): (string | null | undefined)[] {
  return names.map((name) => record?.field(name))
}

describe('a segment', () => {
  it('starts with the software that wrote it, and names no machine', async () => {
    const [info] = await recordsOf([{}])
    assert.equal(info?.type, 'warcinfo')
    assert.deepEqual(fieldsOf(info, ['WARC-Filename', 'WARC-Date', 'Content-Type']), [
      '20260102T030405-w1-00000.warc.zst',
      '2026-01-02T03:04:05.678Z',
      'application/warc-fields',
    ])
    const lines = info.block.toString().trimEnd().split('\r\n')
    assert.deepEqual(
      lines.map((line) => line.replace(/:.*/, '')),
      ['software', 'format', 'conformsTo'],
    )
    assert.match(lines.join('\n'), /^software: Orbweaver\/\d+\.\d+\.\d+\nformat: WARC File Format 1\.1\n/)
  })
})

describe('a response record', () => {
  it('holds the response and its origin', async () => {
    const [, record] = await recordsOf([{ url: 'https://a.test/x?y=%20', ip: '2001:db8::1' }])
    assert.equal(record?.type, 'response')
    assert.deepEqual(
      fieldsOf(record, ['WARC-Target-URI', 'WARC-IP-Address', 'WARC-Date', 'WARC-Truncated', 'WARC-Profile']),
      ['https://a.test/x?y=%20', '2001:db8::1', '2026-01-02T03:04:05.678Z', null, null],
    )
    assert.equal(record.block.toString(), `${HEAD}\r\n\r\n<p>Hello`)
    assert.deepEqual(record.problems, [])
  })

  it('says that the body was truncated, and omits an unknown address', async () => {
    const [, record] = await recordsOf([{ isTruncated: true, ip: null }])
    assert.deepEqual(fieldsOf(record, ['WARC-Truncated', 'WARC-IP-Address']), ['length', null])
  })

  it('states the length of the body it holds', async () => {
    const [, record] = await recordsOf([{ head: `${HEAD}\r\nTransfer-Encoding: chunked` }])
    assert.equal(
      record?.block.toString(),
      `${HEAD}\r\nX-Crawler-Transfer-Encoding: chunked\r\nContent-Length: 8\r\n\r\n<p>Hello`,
    )
  })

  it('is decoded by warcio as a browser would', async () => {
    const head = 'HTTP/1.1 203 Odd\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\nX-A: 1'
    const dir = await written([{ head, payload: gzipSync('<p>Hello') }], 'gzip')
    const [segment = ''] = await filesIn(dir)
    const parser = new WARCParser(createReadStream(join(dir, segment)))
    await parser.parse()
    const record = await parser.parse()
    assert.equal(record?.httpHeaders?.statusCode, 203)
    assert.equal(record.httpHeaders.headers.get('X-A'), '1')
    assert.equal(await record.contentText(), '<p>Hello')
  })

  it('cannot be broken by the URL', async () => {
    const [, record, ...more] = await recordsOf([{ url: 'https://a.test/\r\nWARC-Type: evil \u00e9\ud800' }])
    assert.deepEqual(more, [])
    assert.equal(record?.type, 'response')
    assert.equal(record.url, 'https://a.test/%0D%0AWARC-Type:%20evil%20%C3%A9%EF%BF%BD')
  })
})

describe('a head with a blank line in it', () => {
  it('is rejected, because the rest would be taken for the body', async () => {
    const head = 'HTTP/1.1 200 OK\r\n\r\nX-A: 1'
    await assert.rejects(written([{ head }]), { code: 'INTERNAL', message: /https:\/\/a\.test\/ has a blank line/ })
  })
})

describe('a revisit record', () => {
  it('refers to the record with the same payload and holds only the head', async () => {
    const sameAs = { url: 'https://b.test/first', fetchedAt: NOW - 1 }
    const [, first, record] = await recordsOf([{}, { sameAs, head: `${HEAD}\r\nContent-Length: 8` }])
    assert.equal(record?.type, 'revisit')
    assert.deepEqual(
      fieldsOf(record, ['WARC-Profile', 'WARC-Refers-To-Target-URI', 'WARC-Refers-To-Date', 'WARC-Truncated']),
      [
        'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest',
        'https://b.test/first',
        '2026-01-02T03:04:05.677Z',
        'length',
      ],
    )
    assert.equal(record.field('WARC-Payload-Digest'), first?.field('WARC-Payload-Digest'))
    assert.equal(record.block.toString(), `${HEAD}\r\nContent-Length: 8\r\n\r\n`)
    assert.deepEqual(record.problems, [])
  })
})
