// Parses a WARC record.

import { hash } from 'node:crypto'

export interface ParsedRecord {
  type: string
  /** Fields of the WARC header, by lower-case name. */
  fields: Map<string, string>
  block: Buffer
}

/** A member that holds more is not ours: a body has at most 1 GiB (--max-body). */
export const MAX_RECORD_BYTES = 2 ** 31
const BLANK_LINE = Buffer.from('\r\n\r\n')

/** Null unless the bytes are exactly one record. */
export function parseRecord(data: Buffer): ParsedRecord | null {
  const header = parseHeader(data)
  if (header === null) return null
  const { fields, blockAt, blockLength } = header
  const end = blockAt + blockLength
  if (data.length !== end + BLANK_LINE.length || !data.subarray(end).equals(BLANK_LINE)) return null
  return { type: fields.get('warc-type') ?? '', fields, block: data.subarray(blockAt, end) }
}

/** Length of the whole record according to its header; null if there is no valid header. */
export function recordLength(start: Buffer): number | null {
  const header = parseHeader(start)
  return header === null ? null : header.blockAt + header.blockLength + BLANK_LINE.length
}

function parseHeader(data: Buffer): { fields: Map<string, string>; blockAt: number; blockLength: number } | null {
  const headerEnd = data.indexOf(BLANK_LINE)
  if (headerEnd === -1) return null
  const [version, ...lines] = data.toString('latin1', 0, headerEnd).split('\r\n')
  if (version !== 'WARC/1.1') return null
  const fields = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    fields.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  const blockLength = Number(fields.get('content-length') ?? Number.NaN)
  if (!Number.isSafeInteger(blockLength) || blockLength < 0) return null
  return { fields, blockAt: headerEnd + BLANK_LINE.length, blockLength }
}

/** The HTTP head, without the blank line, and the body; null if the block is not an HTTP message. */
export function splitHttpMessage(block: Buffer): { head: string; payload: Buffer } | null {
  const headEnd = block.indexOf(BLANK_LINE)
  if (headEnd === -1) return null
  return { head: block.toString('latin1', 0, headEnd), payload: block.subarray(headEnd + BLANK_LINE.length) }
}

export function matchesDigest(bytes: Buffer, field: string | undefined): boolean {
  return field === `sha256:${hash('sha256', bytes, 'hex')}`
}
