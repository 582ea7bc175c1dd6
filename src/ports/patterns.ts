// Patterns of urls as the learned containment of spider traps sees them: urls of one host and shape, with what visiting
// them brought. Workers report what they learn; the store adds up and tells the others.

export const PATTERN_STATES = ['open', 'slowed', 'capped', 'released'] as const
/** A released pattern was capped and let go by its owner: it is never capped again. */
export type PatternState = (typeof PATTERN_STATES)[number]

export interface PatternReport {
  pattern: string
  state: PatternState
  /** Pages visited and, of those, pages that brought nothing new, since the last report. */
  visits: number
  fruitless: number
}

export interface PatternRow extends PatternReport {
  /** Urls that were not visited because of it. */
  saved: number
}
