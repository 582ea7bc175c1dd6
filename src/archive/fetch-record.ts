// Asks another process for a record that its folder keeps, in pieces that it can hold in memory.

import { MAX_CHUNK_BYTES, type Position } from '../ports/archive.ts'

export type RecordFetchResult = { kind: 'bytes'; bytes: Buffer } | { kind: 'none' } | { kind: 'failed'; why: string }

/** For one piece, from the question to the last byte. */
const TIMEOUT_MS = 10_000

/** `secret` is that of all processes of the store; null when there is none. */
export async function fetchRecord(
  { address, secret }: { address: string; secret: string | null },
  { segment, offset, length }: Position,
): Promise<RecordFetchResult> {
  const pieces: Buffer[] = []
  for (let done = 0; done < length; done += MAX_CHUNK_BYTES) {
    const recordFetchResult = await fetchPiece(address, secret, {
      segment,
      offset: offset + done,
      length: Math.min(MAX_CHUNK_BYTES, length - done),
    })
    if (recordFetchResult.kind !== 'bytes') return recordFetchResult
    pieces.push(recordFetchResult.bytes)
  }
  return { kind: 'bytes', bytes: Buffer.concat(pieces) }
}

async function fetchPiece(
  address: string,
  secret: string | null,
  { segment, offset, length }: Position,
): Promise<RecordFetchResult> {
  const url = new URL(`/records/${segment}?offset=${offset}&length=${length}`, address)
  try {
    const headers: Record<string, string> = secret === null ? {} : { authorization: `Bearer ${secret}` }
    const answer = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
    const isWhole = answer.status === 200 && Number(answer.headers.get('content-length')) === length
    if (isWhole) return { kind: 'bytes', bytes: Buffer.from(await answer.arrayBuffer()) }
    await answer.body?.cancel()
    if (answer.status === 404) return { kind: 'none' }
    if (answer.status === 401) return { kind: 'failed', why: 'it wants another --health-secret than this process has.' }
    return { kind: 'failed', why: `it answered with ${answer.status}` }
  } catch (error) {
    return { kind: 'failed', why: reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
