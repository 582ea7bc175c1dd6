// What a rule says about a page version.

import type { PageTree } from '../engine/select/page-tree.ts'
import type { Evidence } from '../ports/monitors.ts'
import type { VersionContent } from '../ports/versions.ts'
import type { TextWords } from './text-words.ts'

export interface Verdict {
  /** To be remembered for the next version of the URL; null: nothing. */
  state: string | null
  /** Null: no hit. */
  evidence: Evidence | null
}

export const NO_VERDICT: Verdict = { state: null, evidence: null }

/** A page version as rules read it; each part is computed once, when a rule first needs it. */
export interface PageContent extends VersionContent {
  url: string
  /** Language of the page, such as `de`; null if unknown. */
  lang: string | null
  words(): TextWords
  /** Null if it is not HTML, or a page that takes too long to parse. */
  tree(): PageTree | null
}

/** Compares with what was remembered of the URL; null if nothing was. */
export type Conclude = (before: string | null) => Promise<Verdict>

/** The version says nothing, so what was remembered stays. */
export const keepState: Conclude = async (state) => ({ state, evidence: null })

/** Null: the page has nothing that the rule looks for. */
export type CheckPage = (content: PageContent) => Conclude | null
