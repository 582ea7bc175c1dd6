// A search from the words of a person to an answer for one: the query understood, found, and shown with snippets,
// corrections and related words. The same for the API and the command line, on any index.

import {
  type IndexAnswer,
  type IndexHit,
  type IndexQuery,
  MAX_OFFSET,
  type QueryNode,
  type SearchIndex,
} from '../../ports/search.ts'
import { correct } from '../query/spelling.ts'
import type { Synonyms } from '../query/synonyms.ts'
import { type Understood, understand } from '../query/understand.ts'
import type { Languages } from './languages.ts'
import { relatedWords } from './related.ts'
import { highlight, makeSnippet, type Snippet, type WantedTerms, withoutTitle } from './snippet.ts'

export interface AskParts {
  index: SearchIndex
  synonyms: Synonyms
  languages: Languages
  now: () => number
  /** The full id of a crawl from its beginning; null when there is none, or more than one. */
  findCrawl: (idOrPrefix: string) => Promise<string | null>
}

export interface Question {
  text: string
  crawl: string | null
  limit: number
  offset: number
  sort: IndexQuery['sort']
  wantsFacets: boolean
  explains: boolean
  folds: boolean
}

export interface ShownHit extends Omit<IndexHit, 'text' | 'keywords'> {
  snippet: Snippet
  titleHighlights: [number, number][]
}

export interface Reply extends Omit<IndexAnswer, 'hits'> {
  hits: ShownHit[]
  /** The query as it was understood. */
  reading: string
  note: string | null
  didYouMean: string | null
  related: string[]
  tookMs: number
}

const RELATED_FROM = 5

export async function ask(question: Question, parts: AskParts): Promise<Reply> {
  const startedAt = performance.now()
  const now = parts.now()
  const { index, synonyms } = parts
  const languages = await parts.languages.of(index)
  const understood = understand(question.text, { languages, synonyms, now })
  const notes = understood.note === null ? [] : [understood.note]
  notes.push(...(await resolveCrawl(understood, question.crawl, parts)))
  const { limit, offset, sort, wantsFacets, folds, explains } = question
  const query = { filter: understood.filter, sort, now, limit, offset, wantsFacets, folds, explains }
  let text = understood.text
  let answer = await findAll(index, understood, { ...query, text })
  const anyOf = answer.total === 0 ? anyWord(understood) : null
  if (anyOf !== null) {
    text = anyOf
    answer = await index.find({ ...query, text })
    if (answer.total > 0) notes.push('No page has all the words; these have some of them.')
  }
  const isFirst = offset === 0
  const corrections = isFirst && (answer.total === 0 || anyOf !== null) ? await correct(understood.words, index) : null
  const wanted = wantedTerms(text)
  return {
    ...answer,
    hits: answer.hits.map((hit) => show(hit, wanted)),
    hasMore: answer.hasMore && offset + limit <= MAX_OFFSET,
    reading: understood.reading,
    note: notes.length === 0 ? null : notes.join(' '),
    didYouMean: corrections === null ? null : replaceWords(question.text, corrections),
    related: isFirst ? relatedOf(answer.hits, understood.words) : [],
    tookMs: performance.now() - startedAt,
  }
}

/** A query that says nothing finds nothing; one of conditions alone finds all that fulfil them. */
async function findAll(index: SearchIndex, { text, filter }: Understood, query: IndexQuery): Promise<IndexAnswer> {
  const isNarrow = Object.values(filter).some((value) => (Array.isArray(value) ? value.length > 0 : value !== null))
  if (text !== null || isNarrow) return index.find(query)
  const facets = query.wantsFacets ? { host: [], lang: [], type: [], date: [] } : null
  return { hits: [], total: 0, isTotalExact: true, hasMore: false, facets }
}

/** Names the crawl in full; answers a note when there is none. */
async function resolveCrawl({ filter }: Understood, named: string | null, parts: AskParts): Promise<string[]> {
  const wanted = filter.crawlId ?? named
  if (wanted === null) return []
  const id = await parts.findCrawl(wanted)
  filter.crawlId = id ?? wanted
  return id === null ? [`There is no crawl ${wanted}.`] : []
}

function anyWord({ text, isPlain }: Understood): QueryNode | null {
  return isPlain && text?.kind === 'and' ? { kind: 'or', parts: text.parts } : null
}

function show({ text, keywords: _, ...hit }: IndexHit, wanted: WantedTerms): ShownHit {
  return {
    ...hit,
    snippet: makeSnippet(withoutTitle(text, hit.title), wanted, hit.lang),
    titleHighlights: highlight(hit.title, wanted, hit.lang),
  }
}

function wantedTerms(node: QueryNode | null): WantedTerms {
  const terms = new Set<string>()
  const prefixes: string[] = []
  const visit = (part: QueryNode): void => {
    if (part.kind === 'and' || part.kind === 'or') for (const inner of part.parts) visit(inner)
    else if (part.kind === 'term' && part.isPrefix) prefixes.push(...part.terms)
    else if ('terms' in part) for (const term of part.terms) terms.add(term)
  }
  if (node !== null) visit(node)
  return { terms, prefixes }
}

function relatedOf(hits: IndexHit[], words: string[]): string[] {
  const best = hits.slice(0, RELATED_FROM).map(({ keywords }) => keywords)
  return best.length === 0 ? [] : relatedWords(best, words)
}

/** As the person wrote it, with the words mended. */
function replaceWords(text: string, corrections: ReadonlyMap<string, string>): string {
  return text.replaceAll(
    /[\p{L}\p{N}'’]+/gu,
    (word) => corrections.get(word.toLowerCase().replaceAll(/['’]/g, '')) ?? word,
  )
}
