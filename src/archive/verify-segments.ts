// Reads every record of every segment and checks it against its digests: first segments in the folder, then segments
// in object storage, whose copies in the folder are skipped.

import type { RecordCheck, RecordProblem } from '../ports/archive.ts'
import type { SegmentObjects } from './objects/segment-objects.ts'
import { type ScannedMember, scanMembers } from './scan-members.ts'
import { archiveError, isMissingSegment, type ListedSegment, listSegments } from './segment-files.ts'
import { objectSource, openFile, type SegmentSource } from './segment-source.ts'
import { matchesDigest, parseRecord, splitHttpMessage } from './warc/parse-record.ts'

/**
 * Yields records in order of name and offset. Memory holds one window of a segment or one record, whichever is larger.
 */
export async function* verifySegments(dir: string, objects: SegmentObjects | null = null): AsyncGenerator<RecordCheck> {
  const checked = new Set<string>()
  for (const { name, isOpen } of await listSegments(dir)) {
    const source = await openFile(dir, name).catch((error: unknown) => {
      // Deleted or uploaded since it was listed; references to it are looked up again.
      if (isMissingSegment(error)) return null
      throw error
    })
    if (source === null) continue
    checked.add(name)
    yield* verifySegment({ name, isOpen }, source)
  }
  if (objects === null) return
  for await (const { segment: name, bytes } of objects.list()) {
    if (!checked.has(name)) yield* verifySegment({ name, isOpen: false }, objectSource(objects, name, bytes))
  }
}

async function* verifySegment({ name, isOpen }: ListedSegment, source: SegmentSource): AsyncGenerator<RecordCheck> {
  try {
    for await (const memberCheck of groupByResponse(scanMembers(source, 0)))
      yield { segment: name, isOpen, ...memberCheck }
  } catch (error) {
    // Deleted while it was read.
    if (!isMissingSegment(error)) throw archiveError(error, name)
  } finally {
    await source.close()
  }
}

type MemberCheck = Omit<RecordCheck, 'segment' | 'isOpen'>

interface CheckedMember {
  check: MemberCheck
  /** Ids of the record, and of the response that a request or extract belongs to. */
  id: string | undefined
  responseId: string | undefined
}

/** A response, its request and its extract form one entry: a position covers all of them. */
async function* groupByResponse(members: AsyncIterable<ScannedMember>): AsyncGenerator<MemberCheck> {
  let response: CheckedMember | null = null
  for await (const member of members) {
    const next = checkMember(member)
    if (response === null) response = next
    else if (next.responseId !== undefined && next.responseId === response.id) {
      response = { ...next, ...joinChecks(response, next) }
    } else {
      yield response.check
      response = next
    }
  }
  if (response !== null) yield response.check
}

function joinChecks({ check, id }: CheckedMember, { check: next }: CheckedMember): Pick<CheckedMember, 'check' | 'id'> {
  return { check: { ...check, length: check.length + next.length, problem: check.problem ?? next.problem }, id }
}

function checkMember({ offset, length, data }: ScannedMember): CheckedMember {
  const unreadable = { offset, length, type: null, url: null, payloadDigest: null }
  const noIds = { id: undefined, responseId: undefined }
  if (data === null) return { check: { ...unreadable, problem: 'torn or broken' }, ...noIds }
  const record = parseRecord(data)
  if (record === null) return { check: { ...unreadable, problem: 'malformed' }, ...noIds }
  const { type, fields, block } = record
  const payloadDigest = fields.get('warc-payload-digest')?.replace('sha256:', '') ?? null
  const url = fields.get('warc-target-uri') ?? null
  const check = { offset, length, type, url, payloadDigest, problem: problemOf(type, fields, block) }
  const answerId = fields.get('warc-concurrent-to') ?? fields.get('warc-refers-to')
  return { check, id: fields.get('warc-record-id'), responseId: answerId }
}

function problemOf(type: string, fields: Map<string, string>, block: Buffer): RecordProblem | null {
  const blockDigest = fields.get('warc-block-digest')
  // A response has the digest of its payload instead; responses of version 0.2 have both.
  if ((blockDigest !== undefined || type !== 'response') && !matchesDigest(block, blockDigest))
    return 'wrong block digest'
  if (type !== 'response') return null
  const message = splitHttpMessage(block)
  if (message === null) return 'malformed'
  return matchesDigest(message.payload, fields.get('warc-payload-digest')) ? null : 'wrong payload digest'
}
