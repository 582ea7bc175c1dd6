// Reads single records from the segments of a folder, including the active one.

import { AppError } from '../lib/errors.ts'
import { type ArchivedResponse, type ArchiveReader, type Position, RENDERED_TYPE } from '../ports/archive.ts'
import { archiveError, type ReadAt, readAt } from './segment-files.ts'
import { SegmentHandles } from './segment-handles.ts'
import { toGzipMember } from './warc/gzip-member.ts'
import { parseHttpHead, toReceivedHead } from './warc/http-head.ts'
import { matchesDigest, type ParsedRecord, parseRecord, splitHttpMessage } from './warc/parse-record.ts'
import { RecordPacker } from './warc/record-packer.ts'
import { unpackMembers } from './warc/unpack-member.ts'
import { makeWarcinfoRecord } from './warc/warc-record.ts'

const MAX_HANDLES = 64
const EXTRACT = 'conversion'
const SCREENSHOT = 'resource'
/** Types of the records that may follow a response, in this order. */
const FOLLOWING_TYPES = ['request', EXTRACT, SCREENSHOT]

export function openArchiveReader(dir: string, read: ReadAt = readAt): ArchiveReader {
  const segmentHandles = new SegmentHandles(dir, MAX_HANDLES)
  return createArchiveReader({
    readRaw: (position) => readPosition(segmentHandles, position, read),
    close: () => segmentHandles.close(),
  })
}

/** A reader on top of any source of raw records. */
export function createArchiveReader({ readRaw, close }: Pick<ArchiveReader, 'readRaw' | 'close'>): ArchiveReader {
  return {
    read: async (position) => parseMembers(unpack(await readRaw(position), position), position),
    async readForExport(position) {
      const bytes = await readRaw(position)
      const unpacked = unpack(bytes, position)
      return { response: parseMembers(unpacked, position), members: toGzipMembers(bytes, unpacked) }
    },
    readRaw,
    makeWarcinfoRecord: (fileName, at) =>
      Buffer.concat(new RecordPacker('gzip').pack(makeWarcinfoRecord(fileName, at), false)),
    close,
  }
}

type Members = NonNullable<ReturnType<typeof unpackMembers>>

function unpack(bytes: Buffer, position: Position): Members {
  const members = bytes.length === position.length ? unpackMembers(bytes) : null
  if (members === null) throw brokenError(position, 'no complete record')
  return members
}

function toGzipMembers(bytes: Buffer, unpacked: Members): Buffer[] {
  let at = 0
  return unpacked.map(({ data, length }) => {
    at += length
    return toGzipMember(bytes.subarray(at - length, at), data)
  })
}

function parseMembers([response, ...more]: Members, position: Position): ArchivedResponse {
  if (response === undefined) throw brokenError(position, 'no complete record')
  const behind = more.map(({ data }) => parseIntactRecord(data))
  if (!isInOrder(behind.map((record) => record?.type ?? '')))
    throw brokenError(position, 'a following record is not its request, extract or screenshot')
  const extract = behind.find((record) => record?.type === EXTRACT)
  const isRendered = extract?.fields.get('content-type') === RENDERED_TYPE
  const type = isRendered ? { extractedType: RENDERED_TYPE } : {}
  const screenshot = behind.find((record) => record?.type === SCREENSHOT)?.block
  const rendered = screenshot === undefined ? type : { ...type, screenshot }
  return { ...parseResponse(response.data, position), extracted: extract?.block ?? null, ...rendered }
}

async function readPosition(
  segmentHandles: SegmentHandles,
  { segment, offset, length }: Position,
  read: ReadAt,
): Promise<Buffer> {
  try {
    return await segmentHandles.use(segment, async (handle) => read(handle, offset, length))
  } catch (error) {
    throw archiveError(error, segment)
  }
}

function parseResponse(
  data: Buffer,
  position: Position,
): Omit<ArchivedResponse, 'extracted' | 'extractedType' | 'screenshot'> {
  const record = parseRecord(data)
  if (record === null) throw brokenError(position, 'the record is malformed')
  if (record.type !== 'response' && record.type !== 'revisit')
    throw brokenError(position, 'the record is not a response')
  const { fields, block } = record
  const message = splitHttpMessage(block)
  const head = message === null ? null : parseHttpHead(toReceivedHead(message.head))
  if (message === null || head === null) throw brokenError(position, 'the record contains no HTTP response')
  const sameAs = sameAsOf(record)
  const isIntact =
    sameAs === null
      ? matchesDigest(message.payload, fields.get('warc-payload-digest'))
      : matchesDigest(block, fields.get('warc-block-digest'))
  if (!isIntact) throw brokenError(position, 'the record does not match its digest')
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

/** Whether the types are in order, each at most once. */
function isInOrder(types: string[]): boolean {
  const places = types.map((type) => FOLLOWING_TYPES.indexOf(type))
  return places.every((place, i) => place > (places[i - 1] ?? -1))
}

function parseIntactRecord(data: Buffer): ParsedRecord | null {
  const record = parseRecord(data)
  return record !== null && matchesDigest(record.block, record.fields.get('warc-block-digest')) ? record : null
}

function sameAsOf({ type, fields }: ParsedRecord): ArchivedResponse['sameAs'] {
  if (type !== 'revisit') return null
  const fetchedAt = Date.parse(fields.get('warc-refers-to-date') ?? '')
  return { url: fields.get('warc-refers-to-target-uri') ?? '', fetchedAt }
}

function brokenError({ segment, offset, length }: Position, what: string): AppError {
  return new AppError('ARCHIVE_BROKEN', `${segment}, ${length} bytes at ${offset}: ${what}.`)
}
