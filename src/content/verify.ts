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
      for await (const check of grouped(scanMembers(handle, 0))) yield { segment: name, isOpen, ...check }
    } catch (error) {
      throw archiveError(error, name)
    } finally {
      await handle.close()
    }
  }
}

type Check = Omit<RecordCheck, 'segment' | 'isOpen'>

interface Checked {
  check: Check
  /** Ids of the record and of the answer whose request or extract it is. */
  id: string | undefined
  answerId: string | undefined
}

/** An answer, its request and its extract are one: a position has the length of all. */
async function* grouped(members: AsyncIterable<ScannedMember>): AsyncGenerator<Check> {
  let answer: Checked | null = null
  for await (const member of members) {
    const next = checkMember(member)
    if (answer === null) answer = next
    else if (next.answerId !== undefined && next.answerId === answer.id) {
      answer = { ...next, ...joined(answer, next) }
    } else {
      yield answer.check
      answer = next
    }
  }
  if (answer !== null) yield answer.check
}

function joined({ check, id }: Checked, { check: next }: Checked): Pick<Checked, 'check' | 'id'> {
  return { check: { ...check, length: check.length + next.length, problem: check.problem ?? next.problem }, id }
}

function checkMember({ offset, length, data }: ScannedMember): Checked {
  const unreadable = { offset, length, type: null, url: null, payloadDigest: null }
  const noIds = { id: undefined, answerId: undefined }
  if (data === null) return { check: { ...unreadable, problem: 'torn or broken' }, ...noIds }
  const record = parseRecord(data)
  if (record === null) return { check: { ...unreadable, problem: 'malformed' }, ...noIds }
  const { type, fields, block } = record
  const payloadDigest = fields.get('warc-payload-digest')?.replace('sha256:', '') ?? null
  const url = fields.get('warc-target-uri') ?? null
  const check = { offset, length, type, url, payloadDigest, problem: problemOf(type, fields, block) }
  const answerId = fields.get('warc-concurrent-to') ?? fields.get('warc-refers-to')
  return { check, id: fields.get('warc-record-id'), answerId }
}

function problemOf(type: string, fields: Map<string, string>, block: Buffer): RecordProblem | null {
  if (!fitsDigest(block, fields.get('warc-block-digest'))) return 'wrong block digest'
  if (type !== 'response') return null
  const message = splitBlock(block)
  if (message === null) return 'malformed'
  return fitsDigest(message.payload, fields.get('warc-payload-digest')) ? null : 'wrong payload digest'
}
