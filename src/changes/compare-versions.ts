// Compares two archived versions of a page.

import type { PageReaderDependencies } from '../engine/pages/read-archived-page.ts'
import type { PageVersion } from '../ports/pages.ts'
import { compareTexts, type TextComparison } from './compare-texts.ts'
import { compileIgnoreRules, type IgnoreRules, NO_IGNORE_RULES } from './ignore-rules.ts'
import { HostNoise } from './noise/host-noise.ts'
import { readVersionText, type TextProblem } from './read-version.ts'

export type VersionComparison = { comparison: TextComparison } | { problem: TextProblem } | { isUnavailable: true }

export interface ComparisonRules {
  rules: IgnoreRules
  noise: HostNoise
  /** Whether the previous visit found a change too; see `isRepeatedChange`. */
  isRepeated: boolean | null
}

/** Comparison without the rules of a crawl. Clocks are marked nevertheless. */
export const PLAIN_COMPARISON: ComparisonRules = {
  rules: compileIgnoreRules(NO_IGNORE_RULES),
  noise: new HostNoise(null),
  isRepeated: null,
}

export async function compareVersions(
  before: PageVersion | null,
  after: PageVersion | null,
  { rules, noise, isRepeated }: ComparisonRules,
  dependencies: PageReaderDependencies,
): Promise<VersionComparison> {
  const [old, new_] = [
    await readVersionText(before, rules, dependencies),
    await readVersionText(after, rules, dependencies),
  ]
  if ('isUnavailable' in old || 'isUnavailable' in new_) return { isUnavailable: true }
  if ('problem' in old) return old
  if ('problem' in new_) return new_
  const visitedAt = { before: before?.visitedAt ?? 0, after: after?.visitedAt ?? 0 }
  return { comparison: compareTexts(old.text, new_.text, { noise, isIgnored: rules.isIgnored, visitedAt, isRepeated }) }
}
