// Reads single records of the segments in a folder, also of the one that is being written.

import { AppError } from '../lib/errors.ts'
import type { ArchivedAnswer, ArchiveReader, Position } from '../ports/archive.ts'
import { Handles } from './handles.ts'
import { parseHead, receivedHead } from './http-head.ts'
import { unpackAll } from './member.ts'
import { fitsDigest, type ParsedRecord, parseRecord, splitBlock } from './parse.ts'
import { Press } from './press.ts'
import { infoRecord } from './record.ts'
import { archiveError, readAt } from './segments.ts'

const MAX_HANDLES = 64
const EXTRACT = 'conversion'
/** Types of the records that may lie behind an answer. */
const BEHIND: ReadonlySet<string> = new Set(['', 'request', EXTRACT, `request,${EXTRACT}`])

export function openReader(dir: string): ArchiveReader {
  const handles = new Handles(dir, MAX_HANDLES)
  return readerOf({ raw: (position) => readPosition(handles, position), close: () => handles.close() })
}

/** From whatever gives the bytes. */
export function readerOf({ raw, close }: Pick<ArchiveReader, 'raw' | 'close'>): ArchiveReader {
  return {
    async read(position) {
      const bytes = await raw(position)
      const [answer, ...more] = bytes.length === position.length ? (unpackAll(bytes) ?? []) : []
      if (answer === undefined) throw broken(position, 'there is no whole record')
      const behind = more.map(({ data, length }) => ({ record: soundRecord(data), length }))
      const order = behind.map(({ record }) => record?.type).join()
      if (!BEHIND.has(order)) throw broken(position, 'what lies behind it is neither its request nor its extract')
      const request = behind.find(({ record }) => record?.type === 'request')
      const extract = behind.find(({ record }) => record?.type === EXTRACT)
      const about = { requestLength: request?.length ?? 0, extracted: extract?.record?.block ?? null }
      return { ...answerOf(answer.data, position), ...about }
    },
    raw,
    opening: (fileName, at) => Buffer.concat(new Press().press(infoRecord(fileName, at), false)),
    close,
  }
}

async function readPosition(handles: Handles, { segment, offset, length }: Position): Promise<Buffer> {
  try {
    return await handles.use(segment, (handle) => readAt(handle, offset, length))
  } catch (error) {
    throw archiveError(error, segment)
  }
}

function answerOf(data: Buffer, position: Position): Omit<ArchivedAnswer, 'requestLength' | 'extracted'> {
  const record = parseRecord(data)
  if (record === null) throw broken(position, 'the record is malformed')
  if (record.type !== 'response' && record.type !== 'revisit') throw broken(position, 'the record is no answer')
  const { fields, block } = record
  const message = splitBlock(block)
  const head = message === null ? null : parseHead(receivedHead(message.head))
  if (message === null || head === null) throw broken(position, 'the record holds no HTTP answer')
  const sameAs = sameAsOf(record)
  const isIntact =
    sameAs === null
      ? fitsDigest(message.payload, fields.get('warc-payload-digest'))
      : fitsDigest(block, fields.get('warc-block-digest'))
  if (!isIntact) throw broken(position, 'the record does not fit its digest')
  return {
    url: fields.get('warc-target-uri') ?? '',
    fetchedAt: Date.parse(fields.get('warc-date') ?? ''),
    ip: fields.get('warc-ip-address') ?? null,
    status: head.status,
    headers: head.headers,
    payload: message.payload,
    isTruncated: sameAs === null && fields.has('warc-truncated'),
    sameAs,
  }
}

function soundRecord(data: Buffer): ParsedRecord | null {
  const record = parseRecord(data)
  return record !== null && fitsDigest(record.block, record.fields.get('warc-block-digest')) ? record : null
}

function sameAsOf({ type, fields }: ParsedRecord): ArchivedAnswer['sameAs'] {
  if (type !== 'revisit') return null
  const fetchedAt = Date.parse(fields.get('warc-refers-to-date') ?? '')
  return { url: fields.get('warc-refers-to-target-uri') ?? '', fetchedAt }
}

function broken({ segment, offset, length }: Position, what: string): AppError {
  return new AppError('ARCHIVE_BROKEN', `${segment}, ${length} bytes at ${offset}: ${what}.`)
}
