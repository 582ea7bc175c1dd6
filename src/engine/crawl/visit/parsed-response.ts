import type { FoundUrl, VisitReport } from '../../../ports/visits.ts'
import type { PageFacts } from './response-to-archive.ts'
import type { Rendering } from './visit-steps.ts'

/** The links and metadata of a response. */
export interface ParsedResponse {
  found: FoundUrl[]
  linkCount: number
  page: PageFacts | null
  traps: VisitReport['traps']
  /** Output of a document reader, archived with the response. */
  extracted: Buffer | null
  /** Null if the page was not rendered. */
  rendering: Rendering | null
}

export const NOTHING_PARSED: ParsedResponse = {
  found: [],
  linkCount: 0,
  page: null,
  traps: null,
  extracted: null,
  rendering: null,
}
