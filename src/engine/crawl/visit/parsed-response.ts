import type { FoundUrl, VisitReport } from '../../../ports/frontier.ts'
import type { PageFacts } from './response-to-archive.ts'

/** What an answer led to, and what it says of itself if it is a page. */
export interface ParsedResponse {
  found: FoundUrl[]
  linkCount: number
  page: PageFacts | null
  traps: VisitReport['traps']
  /** What a document reader found, to be kept with the answer. */
  extracted: Buffer | null
}

export const NOTHING_PARSED: ParsedResponse = { found: [], linkCount: 0, page: null, traps: null, extracted: null }
