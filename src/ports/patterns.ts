// URL patterns that may be spider traps: URLs of one host and shape that link to each other. Their links are held back.
// When nothing else of the crawl is left, the store admits some of them on trial, counts what those visits find, and
// then admits or excludes the rest:
//
//   suspected  links are held; some may be on trial
//   proven     fruitful: new variations are followed at once
//   excluded   its URLs are excluded
//   released   by the owner of the crawl, and never held again

/** Names of the states in the store and the API. The format is older than our words for them. */
export const PATTERN_STATES = ['open', 'slowed', 'capped', 'released'] as const
export type PatternState = (typeof PATTERN_STATES)[number]
export const PATTERN_STATE = { suspected: 'slowed', proven: 'open', excluded: 'capped', released: 'released' } as const

export interface PatternReport {
  pattern: string
  state: PatternState
  /** URLs visited on trial, and how many of them had no new text or links. */
  visits: number
  fruitless: number
}

export interface PatternRow extends PatternReport {
  /** Number of URLs excluded because of the pattern, and an example. The API says `saved`. */
  excludedUrls: number
  example: string | null
}
