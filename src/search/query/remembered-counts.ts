// Document counts of phrases, looked up once per search: the forms of words and their spelling need the same ones.

import type { SearchIndex } from '../../ports/search.ts'

export type Vocabulary = Pick<SearchIndex, 'phraseCounts' | 'termsFrom'>

export function rememberCounts(index: Vocabulary): Vocabulary {
  const known = new Map<string, number>()
  return {
    termsFrom: (prefix, limit) => index.termsFrom(prefix, limit),
    async phraseCounts(phrases, maxOfTerm) {
      if (maxOfTerm !== undefined) return index.phraseCounts(phrases, maxOfTerm)
      const missing = new Map(phrases.map((terms) => [terms.join(' '), terms]))
      for (const key of known.keys()) missing.delete(key)
      if (missing.size > 0) {
        const counts = await index.phraseCounts([...missing.values()])
        for (const [i, key] of [...missing.keys()].entries()) known.set(key, counts[i] ?? 0)
      }
      return phrases.map((terms) => known.get(terms.join(' ')) ?? 0)
    },
  }
}
