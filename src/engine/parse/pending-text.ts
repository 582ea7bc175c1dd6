// The state that the page reader leaves for its next step.

import type { RawTextSearch } from './raw-text-search.ts'

/** Text that is found but not passed on yet. */
export interface PendingText {
  at: number
  end: number
  isVerbatim: boolean
  /** A block ends with it. */
  isBlock: boolean
}

/** A comment or raw text that starts at `start` and whose end is not found yet. */
export interface PendingRawText {
  search: RawTextSearch
  kind: RawTextKind
  start: number
}

export type RawTextKind = 'comment' | 'skipped' | 'style' | 'title' | 'verbatim'
