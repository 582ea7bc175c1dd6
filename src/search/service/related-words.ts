// Words that the best hits share and the query does not contain.

const MAX_RELATED = 6
const MIN_PAGES = 2

export function pickRelatedWords(keywords: readonly string[][], words: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const list of keywords) for (const word of new Set(list)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const isAsked = (word: string) => words.some((asked) => word.startsWith(asked) || asked.startsWith(word))
  return [...counts]
    .filter(([word, count]) => count >= Math.min(MIN_PAGES, keywords.length) && !isAsked(word))
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MAX_RELATED)
    .map(([word]) => word)
}
