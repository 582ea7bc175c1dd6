import type { FoundUrl, VisitReport } from '../../ports/frontier.ts'
import type { PageFacts } from './keep.ts'

/** What an answer led to, and what it says of itself if it is a page. */
export interface Read {
  found: FoundUrl[]
  links: number
  page: PageFacts | null
  traps: VisitReport['traps']
  /** What a document reader found, to be kept with the answer. */
  extracted: Buffer | null
}

export const NO_LINKS: Read = { found: [], links: 0, page: null, traps: null, extracted: null }
