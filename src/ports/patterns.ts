// Patterns of urls that may be spider traps: urls of one host and shape that pages of their own kind lead to. Their links
// are held back. When nothing else of the crawl is left, the store lets in some of them, counts what those visits bring,
// and lets in or excludes the rest:
//
//   slowed    links are held; some may be on trial
//   open      its urls proved to bring something: new variations of it are followed at once
//   capped    its urls are excluded
//   released  its owner let it go: it is never held again

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
  /** Urls that were not visited because of it, and one of them. */
  saved: number
  example: string | null
}
