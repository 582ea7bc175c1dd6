// Records of WARC 1.1 (ISO 28500:2017). A record is its front (the WARC header and, for an answer, the HTTP head), the
// payload, and two line breaks. Digests are labelled sha256 and in hex: that is what warcio writes and what it, and
// pywb, verify.

import { createHash, randomUUID } from 'node:crypto'
import pkg from '../../package.json' with { type: 'json' }
import { AppError } from '../lib/errors.ts'
import type { ArchiveItem } from '../ports/archive.ts'

/** Section 6.7.2; the payload is that of the record it refers to. */
const SAME_PAYLOAD = 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest'
const CONFORMS_TO = 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/'
const BREAK = '\r\n'

type Fields = [name: string, value: string | number][]

/** The first record of a segment. It names no machine: archives are passed on. */
export function infoFront(segment: string, openedAt: number): Buffer {
  const about = [`software: Orbweaver/${pkg.version}`, 'format: WARC File Format 1.1', `conformsTo: ${CONFORMS_TO}`]
  const block = about.map((line) => line + BREAK).join('')
  return front('warcinfo', openedAt, block, [
    ['WARC-Filename', segment],
    ['WARC-Block-Digest', digestField(sha256(block, EMPTY))],
    ['Content-Type', 'application/warc-fields'],
    ['Content-Length', block.length],
  ])
}

/** `head` is the one to be kept, a character per byte; the payload of a revisit is empty. */
export function answerFront(item: ArchiveItem, head: string, payload: Uint8Array): Buffer {
  // It would end the head there, and what follows would pass for the payload.
  if (head.includes(BREAK + BREAK)) throw new AppError('INTERNAL', `The head of ${item.url} has a blank line in it.`)
  const block = head + BREAK + BREAK
  const fields: Fields = [['WARC-Target-URI', printable(item.url)]]
  if (item.ip !== null) fields.push(['WARC-IP-Address', item.ip])
  if (item.sameAs !== null) {
    fields.push(
      ['WARC-Profile', SAME_PAYLOAD],
      ['WARC-Refers-To-Target-URI', printable(item.sameAs.url)],
      ['WARC-Refers-To-Date', dateField(item.sameAs.fetchedAt)],
    )
  }
  fields.push(
    ['WARC-Payload-Digest', digestField(item.payloadDigest)],
    ['WARC-Block-Digest', digestField(sha256(block, payload))],
  )
  // The same section asks for it on every revisit that leaves the payload out.
  if (item.isTruncated || item.sameAs !== null) fields.push(['WARC-Truncated', 'length'])
  fields.push(['Content-Type', 'application/http; msgtype=response'], ['Content-Length', block.length + payload.length])
  return front(item.sameAs === null ? 'response' : 'revisit', item.fetchedAt, block, fields)
}

function front(type: string, at: number, block: string, fields: Fields): Buffer {
  let text = `WARC/1.1\r\nWARC-Type: ${type}\r\nWARC-Record-ID: <urn:uuid:${randomUUID()}>\r\nWARC-Date: ${dateField(at)}\r\n`
  for (const [name, value] of fields) text += `${name}: ${value}\r\n`
  return Buffer.from(text + BREAK + block, 'latin1')
}

const EMPTY = new Uint8Array(0)

function sha256(block: string, payload: Uint8Array): string {
  return createHash('sha256').update(block, 'latin1').update(payload).digest('hex')
}

function digestField(hex: string): string {
  return `sha256:${hex}`
}

function dateField(at: number): string {
  return new Date(at).toISOString()
}

/** Canonical urls are printable ASCII already; anything else could break out of its line. */
function printable(url: string): string {
  return url.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent)
}
