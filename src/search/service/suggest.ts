// Completes a query: words and titles that start with the text typed so far.

import type { SearchIndex } from '../../ports/search.ts'

export interface Suggestion {
  text: string
  kind: 'word' | 'title'
}

const LAST_WORD = /[\p{L}\p{N}'’]+$/u

export async function suggest(
  text: string,
  limit: number,
  index: Pick<SearchIndex, 'wordsFrom' | 'titlesFrom'>,
): Promise<Suggestion[]> {
  const start = text.trimStart()
  if (start === '') return []
  const titles = await index.titlesFrom(start, Math.ceil(limit / 2))
  const last = LAST_WORD.exec(start)
  const words = last === null ? [] : await index.wordsFrom(last[0].toLowerCase(), limit)
  const before = last === null ? start : start.slice(0, last.index)
  const found = new Map<string, Suggestion>()
  for (const { key } of words) found.set(`${before}${key}`, { text: `${before}${key}`, kind: 'word' })
  const room = Math.max(0, limit - titles.length)
  const wordSuggestions = [...found.values()].filter((suggestion) => suggestion.text !== start).slice(0, room)
  return [...wordSuggestions, ...titles.map((title) => ({ text: title, kind: 'title' as const }))]
}
