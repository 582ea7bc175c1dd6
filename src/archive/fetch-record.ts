// Fetches a record from another process that has it in its folder, in chunks that fit into memory.

import { MAX_CHUNK_BYTES, type Position } from '../ports/archive.ts'

export type RecordFetchResult = { kind: 'bytes'; bytes: Buffer } | { kind: 'none' } | { kind: 'failed'; why: string }

/** Timeout per chunk, from the request to the last byte. */
const TIMEOUT_MS = 10_000

/** `secret` is shared by all processes of the store; null if there is none. */
export async function fetchRecord(
  { address, secret }: { address: string; secret: string | null },
  { segment, offset, length }: Position,
): Promise<RecordFetchResult> {
  const pieces: Buffer[] = []
  for (let done = 0; done < length; done += MAX_CHUNK_BYTES) {
    const recordFetchResult = await fetchChunk(address, secret, {
      segment,
      offset: offset + done,
      length: Math.min(MAX_CHUNK_BYTES, length - done),
    })
    if (recordFetchResult.kind !== 'bytes') return recordFetchResult
    pieces.push(recordFetchResult.bytes)
  }
  return { kind: 'bytes', bytes: Buffer.concat(pieces) }
}

async function fetchChunk(
  address: string,
  secret: string | null,
  { segment, offset, length }: Position,
): Promise<RecordFetchResult> {
  const url = new URL(`/records/${segment}?offset=${offset}&length=${length}`, address)
  try {
    const headers: Record<string, string> = secret === null ? {} : { authorization: `Bearer ${secret}` }
    const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
    const isWhole = response.status === 200 && Number(response.headers.get('content-length')) === length
    if (isWhole) return { kind: 'bytes', bytes: Buffer.from(await response.arrayBuffer()) }
    await response.body?.cancel()
    if (response.status === 404) return { kind: 'none' }
    if (response.status === 401)
      return { kind: 'failed', why: 'its --health-secret differs from that of this process.' }
    return { kind: 'failed', why: `it responded with status ${response.status}` }
  } catch (error) {
    return { kind: 'failed', why: reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
