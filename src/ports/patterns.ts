// URL patterns that may be spider traps: URLs of one host and shape that link to each other. Their links are held back.
// When nothing else of the crawl is left, the store admits some of them on trial, counts what those visits find, and
// then admits or excludes the rest:
//
//   slowed    links are held; some may be on trial
//   open      proven fruitful: new variations are followed at once
//   capped    its URLs are excluded
//   released  released by the owner of the crawl, and never held again

export const PATTERN_STATES = ['open', 'slowed', 'capped', 'released'] as const
export type PatternState = (typeof PATTERN_STATES)[number]

export interface PatternReport {
  pattern: string
  state: PatternState
  /** URLs visited on trial, and how many of them had no new text or links. */
  visits: number
  fruitless: number
}

export interface PatternRow extends PatternReport {
  /** URLs excluded because of the pattern, and one of them. */
  saved: number
  example: string | null
}
