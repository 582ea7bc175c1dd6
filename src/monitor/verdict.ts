// The result of a rule for a page version.

import type { PageTree } from '../engine/select/page-tree.ts'
import type { Evidence } from '../ports/monitors.ts'
import type { VersionContent } from '../ports/versions.ts'
import type { TextWords } from './text-words.ts'

export interface Verdict {
  /** State to store for the next version of the URL; null for none. */
  state: string | null
  /** Null if there is no hit. */
  evidence: Evidence | null
}

export const NO_VERDICT: Verdict = { state: null, evidence: null }

/** A page version as rules read it; each part is computed once, when a rule first needs it. */
export interface PageContent extends VersionContent {
  url: string
  /** Language of the page, such as `de`; null if unknown. */
  lang: string | null
  words(): TextWords
  /** Null if the page is not HTML, or takes too long to parse. */
  tree(): PageTree | null
}

/** Compares with the stored state of the URL; null if there is none. */
export type Conclude = (before: string | null) => Promise<Verdict>

/** The version is inconclusive, so the stored state stays. */
export const keepState: Conclude = async (state) => ({ state, evidence: null })

/** Null if the page has nothing that the rule looks for. */
export type CheckPage = (content: PageContent) => Conclude | null
