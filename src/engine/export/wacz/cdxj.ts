// The index of a WACZ file: one line per response, sorted, in blocks that are compressed one by one, and a second index
// with the first line of each block, so that a reader loads only the blocks it needs.

import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type ArchivedResponse, SCREENSHOT_TYPE, SCREENSHOT_URL } from '../../../ports/archive.ts'
import { joinHeaderValues } from '../../fetch/headers.ts'
import { toSurts } from './surt.ts'

export const INDEX_FILE = 'index.cdx.gz'
const BLOCK_LINES = 300

export interface RecordPlace {
  filename: string
  offset: number
  length: number
}

/** Returns one line for each key of the URL. */
export function toCdxjLines(response: ArchivedResponse, payloadDigest: string | null, place: RecordPlace): string[] {
  const fields = {
    url: response.url,
    mime: response.sameAs === null ? mimeTypeOf(response) : 'warc/revisit',
    status: String(response.status),
    ...(payloadDigest === null ? {} : { digest: `sha256:${payloadDigest}` }),
    length: String(place.length),
    offset: String(place.offset),
    filename: place.filename,
  }
  const rest = `${timestampOf(response.fetchedAt)} ${JSON.stringify(fields)}`
  return toSurts(response.url).map((key) => `${key} ${rest}`)
}

/** The line of a screenshot, under the URL of its record. */
export function toScreenshotLine({ url, fetchedAt }: ArchivedResponse, screenshot: Buffer, place: RecordPlace): string {
  const fields = {
    url: `${SCREENSHOT_URL}${url}`,
    mime: SCREENSHOT_TYPE,
    status: '200',
    digest: `sha256:${hash('sha256', screenshot, 'hex')}`,
    length: String(place.length),
    offset: String(place.offset),
    filename: place.filename,
  }
  return `${fields.url} ${timestampOf(fetchedAt)} ${JSON.stringify(fields)}`
}

/** Yields the compressed blocks, and returns the lines of the second index. */
export async function* compressIndex(lines: AsyncIterable<string>): AsyncGenerator<Buffer, string> {
  let secondIndex = `!meta 0 ${JSON.stringify({ format: 'cdxj-gzip-1.0', filename: INDEX_FILE })}\n`
  let block: string[] = []
  let offset = 0
  const pack = () => {
    const bytes = gzipSync(block.map((line) => `${line}\n`).join(''))
    const [key = ''] = block
    const place = { offset, length: bytes.length, filename: INDEX_FILE }
    secondIndex += `${key.slice(0, key.indexOf(' {'))} ${JSON.stringify(place)}\n`
    block = []
    offset += bytes.length
    return bytes
  }
  for await (const line of lines) {
    block.push(line)
    if (block.length === BLOCK_LINES) yield pack()
  }
  if (block.length > 0 || offset === 0) yield pack()
  return secondIndex
}

function mimeTypeOf({ headers }: ArchivedResponse): string {
  const type = joinHeaderValues(headers.flat(), 'content-type', ', ') ?? ''
  return type.split(/[;,\s]/, 1)[0]?.toLowerCase() || 'unk'
}

/** 14 digits, to the second. */
function timestampOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\D/g, '').slice(0, 14)
}
