import type { FoundUrl, VisitReport } from '../../../ports/visits.ts'
import { NO_LINK_KEYS } from '../links/link-key-buffer.ts'
import type { PageFacts } from './response-to-archive.ts'
import type { Rendering } from './visit-steps.ts'

/** The links and metadata of a response. */
export interface ParsedResponse {
  found: FoundUrl[]
  /** Keys of all links. */
  linkKeys: Uint8Array
  page: PageFacts | null
  traps: VisitReport['traps']
  /** Output of a document reader, archived with the response. */
  extracted: Buffer | null
  /** Null if the page was not rendered. */
  rendering: Rendering | null
}

export const NOTHING_PARSED: ParsedResponse = {
  found: [],
  linkKeys: NO_LINK_KEYS,
  page: null,
  traps: null,
  extracted: null,
  rendering: null,
}
