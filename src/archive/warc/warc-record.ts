// Builds WARC 1.1 records (ISO 28500:2017). A record is its header, its block (for a response the HTTP head and the
// payload), and two line breaks. Digests are labelled sha256 and written in hex, as warcio writes them and warcio and
// pywb verify them.

import { randomUUID } from 'node:crypto'
import pkg from '../../../package.json' with { type: 'json' }
import { AppError } from '../../lib/errors.ts'
import { type ArchiveItem, SCREENSHOT_TYPE, SCREENSHOT_URL } from '../../ports/archive.ts'

/** Profile of a revisit (section 6.7.2); its payload is in the referenced record. */
const SAME_PAYLOAD = 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest'
const CONFORMS_TO = 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/'
const BREAK = '\r\n'
const EMPTY = Buffer.alloc(0)

export interface WarcRecord {
  /** All lines except the block digest, which is computed while the record is packed. */
  header: string
  /** The digest of the payload is enough for a response, whose head is covered by the checksum of its member. */
  hasBlockDigest: boolean
  /** The block is this, one character per byte, followed by the payload. */
  head: string
  payload: Buffer
}

type Fields = [name: string, value: string | number][]

/** The first record of a segment. It names no machine, because archives are passed on. */
export function makeWarcinfoRecord(segment: string, openedAt: number): WarcRecord {
  const about = [`software: Orbweaver/${pkg.version}`, 'format: WARC File Format 1.1', `conformsTo: ${CONFORMS_TO}`]
  const head = about.map((line) => line + BREAK).join('')
  const header = headerOf('warcinfo', newRecordId(), openedAt, [
    ['WARC-Filename', segment],
    ['Content-Type', 'application/warc-fields'],
    ['Content-Length', head.length],
  ])
  return { header, hasBlockDigest: true, head, payload: EMPTY }
}

/** `archivedHead` has one character per byte; the payload of a revisit is empty. */
export function makeResponseRecord(item: ArchiveItem, id: string, archivedHead: string, payload: Buffer): WarcRecord {
  const head = messageHead(item, archivedHead)
  const fields: Fields = [['WARC-Target-URI', printable(item.url)]]
  if (item.ip !== null) fields.push(['WARC-IP-Address', item.ip])
  if (item.sameAs !== null) {
    fields.push(
      ['WARC-Profile', SAME_PAYLOAD],
      ['WARC-Refers-To-Target-URI', printable(item.sameAs.url)],
      ['WARC-Refers-To-Date', dateField(item.sameAs.fetchedAt)],
    )
  }
  fields.push(['WARC-Payload-Digest', `sha256:${item.payloadDigest}`])
  // The same section requires it on every revisit without its payload.
  if (item.isTruncated || item.sameAs !== null) fields.push(['WARC-Truncated', 'length'])
  fields.push(['Content-Type', 'application/http; msgtype=response'], ['Content-Length', head.length + payload.length])
  const type = item.sameAs === null ? 'response' : 'revisit'
  return { header: headerOf(type, id, item.fetchedAt, fields), hasBlockDigest: item.sameAs !== null, head, payload }
}

/** The record of the request whose response has this id. */
export function makeRequestRecord(item: ArchiveItem, responseId: string, sent: string): WarcRecord {
  const head = messageHead(item, sent)
  const fields: Fields = [['WARC-Target-URI', printable(item.url)]]
  if (item.ip !== null) fields.push(['WARC-IP-Address', item.ip])
  fields.push(
    ['WARC-Concurrent-To', responseId],
    ['Content-Type', 'application/http; msgtype=request'],
    ['Content-Length', head.length],
  )
  const header = headerOf('request', newRecordId(), item.fetchedAt, fields)
  return { header, hasBlockDigest: true, head, payload: EMPTY }
}

/** The record of the content extracted from the response with this id (section 6.8, conversion). */
export function makeConversionRecord(item: ArchiveItem, responseId: string, extracted: Buffer): WarcRecord {
  const header = headerOf('conversion', newRecordId(), item.fetchedAt, [
    ['WARC-Target-URI', printable(item.url)],
    ['WARC-Refers-To', responseId],
    ['Content-Type', item.extractedType ?? 'application/json'],
    ['Content-Length', extracted.length],
  ])
  return { header, hasBlockDigest: true, head: '', payload: extracted }
}

/**
 * The record of the screenshot of the page whose response has this id. Its URL differs from the page's, so that no
 * reader takes it for another version.
 */
export function makeScreenshotRecord(item: ArchiveItem, responseId: string, screenshot: Buffer): WarcRecord {
  const header = headerOf('resource', newRecordId(), item.fetchedAt, [
    ['WARC-Target-URI', `${SCREENSHOT_URL}${printable(item.url)}`],
    ['WARC-Concurrent-To', responseId],
    ['Content-Type', SCREENSHOT_TYPE],
    ['Content-Length', screenshot.length],
  ])
  return { header, hasBlockDigest: true, head: '', payload: screenshot }
}

export function newRecordId(): string {
  return `<urn:uuid:${randomUUID()}>`
}

function messageHead(item: ArchiveItem, lines: string): string {
  // It would end the head there, and the rest would be taken for the payload.
  if (lines.includes(BREAK + BREAK)) throw new AppError('INTERNAL', `The head of ${item.url} has a blank line.`)
  return lines + BREAK + BREAK
}

function headerOf(type: string, id: string, at: number, fields: Fields): string {
  let text = `WARC/1.1\r\nWARC-Type: ${type}\r\nWARC-Record-ID: ${id}\r\nWARC-Date: ${dateField(at)}\r\n`
  for (const [name, value] of fields) text += `${name}: ${value}\r\n`
  return text
}

function dateField(at: number): string {
  return new Date(at).toISOString()
}

/** Canonical URLs are printable ASCII; anything else could break out of its line. */
function printable(url: string): string {
  return url.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent)
}
