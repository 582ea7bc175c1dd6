// Decides a path for one crawler. Plain prefix rules, the majority in practice, go to an index; the others are tried in
// order of rank until one matches or none can beat the prefix found.

import { mergeGroups } from './merge-groups.ts'
import { escapeQuery, normalisePath } from './octets.ts'
import type { RobotsFile } from './parse-robots.ts'
import { indexPrefixes, type PrefixEntry } from './prefix-index.ts'
import { compileWildcard, matchesWildcard, type Wildcard } from './wildcard.ts'

export interface RobotsDecision {
  readonly allowed: boolean
  /** Null if no rule matches. */
  readonly rule: { readonly line: number; readonly text: string } | null
  /** The product whose rules apply, as spelt in the file, or `*`. */
  readonly group: string | null
  readonly crawlDelayMs: number | null
}

export interface CompiledRobots {
  readonly group: string | null
  readonly crawlDelayMs: number | null
  decide(pathWithQuery: string): RobotsDecision
}

interface RankedRule {
  rank: number
  line: number
  decision: RobotsDecision
}

interface WildcardRule extends RankedRule {
  wildcard: Wildcard
  inQuery: Wildcard | null
}

export function decideRobots(file: RobotsFile, product: string, pathWithQuery: string): RobotsDecision {
  return compileRobots(file, product).decide(pathWithQuery)
}

export function compileRobots(file: RobotsFile, product: string): CompiledRobots {
  const { rules, group, crawlDelayMs } = mergeGroups(file, product)
  const freely: RobotsDecision = { allowed: true, rule: null, group, crawlDelayMs }
  const prefixes: PrefixEntry<RankedRule>[] = []
  const patterns: WildcardRule[] = []
  for (const { allow, pattern, line, text } of rules) {
    const escaped = escapeQuery(pattern)
    // The longest match in octets wins, and allow wins ties (2.2.2).
    const rank = escaped.length * 2 + (allow ? 1 : 0)
    const ranked = { rank, line, decision: { allowed: allow, rule: { line, text }, group, crawlDelayMs } }
    const wildcard = compileWildcard(pattern)
    const inQuery = mayDifferInQuery(escaped) ? compileWildcard(escaped) : null
    const isPrefix = wildcard.middle.length === 0 && wildcard.tail === null && inQuery === null
    if (isPrefix) prefixes.push({ prefix: wildcard.head, value: ranked })
    else patterns.push({ ...ranked, wildcard, inQuery })
  }
  patterns.sort(byRank)
  const bestPrefix = indexPrefixes(prefixes, byRank)
  const readsQuery = patterns.some((pattern) => pattern.inQuery !== null)

  return {
    group,
    crawlDelayMs,
    decide(pathWithQuery) {
      const path = normalisePath(pathWithQuery)
      if (path === '/robots.txt') return freely
      const escaped = readsQuery ? escapeQuery(path) : path
      const prefix = bestPrefix(path)
      for (const pattern of patterns) {
        if (prefix !== null && byRank(prefix, pattern) < 0) break
        if (matchesWildcard(pattern.wildcard, path)) return pattern.decision
        if (pattern.inQuery !== null && matchesWildcard(pattern.inQuery, escaped)) return pattern.decision
      }
      return prefix === null ? freely : prefix.decision
    },
  }
}

/** If rules are equal, the first line wins, so that a decision names one line. */
function byRank(a: RankedRule, b: RankedRule): number {
  return b.rank - a.rank || a.line - b.line
}

function mayDifferInQuery(escaped: string): boolean {
  const query = escaped.indexOf('?')
  return query !== -1 && /%2F|%3F/.test(escaped.slice(query))
}
