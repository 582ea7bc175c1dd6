// Serves archived records from this worker's folder, still compressed:
//   /records/<segment>?offset=N&length=N

import { AppError } from '../../lib/errors.ts'
import { MAX_CHUNK_BYTES, type Position, SEGMENT_NAME } from '../../ports/archive.ts'

export const RECORDS_PATH = '/records/'
export const PLAIN_TEXT = 'text/plain; charset=utf-8'
const NUMBER = /^\d{1,15}$/

export interface RecordSource {
  /** Bytes of a segment; fewer if it ends before. */
  rawRecord(position: Position): Promise<Buffer>
}

export interface HealthResponse {
  status: number
  type: string
  body: string | Buffer
  /** Asks for the secret with a WWW-Authenticate header. */
  isChallenge?: boolean
}

export async function respondWithRecord(url: string, { rawRecord }: RecordSource): Promise<HealthResponse> {
  const position = parsePosition(url)
  if (position === null) {
    return textResponse(
      400,
      `Ask for ${RECORDS_PATH}<segment>?offset=N&length=N, with at most ${MAX_CHUNK_BYTES} bytes at a time.`,
    )
  }
  const { segment, offset, length } = position
  try {
    const bytes = await rawRecord(position)
    if (bytes.length === length) return { status: 200, type: 'application/octet-stream', body: bytes }
    return textResponse(404, `The segment ${segment} has no ${length} bytes at ${offset}.`)
  } catch (error) {
    if (error instanceof AppError && error.code === 'ARCHIVE_BROKEN') {
      return textResponse(404, `The segment ${segment} cannot be read here.`)
    }
    throw error
  }
}

/** Null if the URL is invalid. */
function parsePosition(url: string): Position | null {
  const [path = '', query = ''] = url.split('?', 2)
  const segment = path.slice(RECORDS_PATH.length)
  const [offset, length] = ['offset', 'length'].map((name) => new URLSearchParams(query).get(name) ?? '')
  if (!SEGMENT_NAME.test(segment) || !NUMBER.test(offset ?? '') || !NUMBER.test(length ?? '')) return null
  const position = { segment, offset: Number(offset), length: Number(length) }
  return position.length > 0 && position.length <= MAX_CHUNK_BYTES ? position : null
}

export function textResponse(status: number, sentence: string): HealthResponse {
  return { status, type: PLAIN_TEXT, body: `${sentence}\n` }
}
