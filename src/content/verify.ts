// Reads every record of every segment and checks what it says of itself.

import type { RecordCheck, RecordProblem } from '../ports/archive.ts'
import { fitsDigest, parseRecord, splitBlock } from './parse.ts'
import { type ScannedMember, scanMembers } from './scan.ts'
import { archiveError, isMissing, listSegments, openSegment } from './segments.ts'

/** In order of name and offset; memory holds one window of a segment or one record, whichever is larger. */
export async function* verifySegments(dir: string): AsyncGenerator<RecordCheck> {
  for (const { name, isOpen } of await listSegments(dir)) {
    const handle = await openSegment(dir, name).catch((error: unknown) => {
      // Deleted since it was listed: whoever points there will look again.
      if (isMissing(error)) return null
      throw error
    })
    if (handle === null) continue
    try {
      for await (const member of scanMembers(handle, 0)) yield { segment: name, isOpen, ...checkMember(member) }
    } catch (error) {
      throw archiveError(error, name)
    } finally {
      await handle.close()
    }
  }
}

function checkMember({ offset, length, data }: ScannedMember): Omit<RecordCheck, 'segment' | 'isOpen'> {
  const unreadable = { offset, length, type: null, url: null, payloadDigest: null }
  if (data === null) return { ...unreadable, problem: 'torn or broken' }
  const record = parseRecord(data)
  if (record === null) return { ...unreadable, problem: 'malformed' }
  const { type, fields, block } = record
  const payloadDigest = fields.get('warc-payload-digest')?.replace('sha256:', '') ?? null
  return {
    offset,
    length,
    type,
    url: fields.get('warc-target-uri') ?? null,
    payloadDigest,
    problem: problemOf(type, fields, block),
  }
}

function problemOf(type: string, fields: Map<string, string>, block: Buffer): RecordProblem | null {
  if (!fitsDigest(block, fields.get('warc-block-digest'))) return 'wrong block digest'
  if (type !== 'response') return null
  const message = splitBlock(block)
  if (message === null) return 'malformed'
  return fitsDigest(message.payload, fields.get('warc-payload-digest')) ? null : 'wrong payload digest'
}
