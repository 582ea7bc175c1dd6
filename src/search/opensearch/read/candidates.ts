// Finds the documents that match a query, with the values their order depends on. The number of scored documents is
// bounded: if more match, the engine chooses the best of them by its own score, or the newest.

import { NEAR_BITS } from '../../../ports/pages.ts'
import { type IndexQuery, MIN_FULL_MATCHES, type QueryNode } from '../../../ports/search.ts'
import { type Candidate, toPartialMatches } from '../../rank/arrange-hits.ts'
import { type Candidates, NO_CANDIDATES } from '../../rank/candidates.ts'
import type { FacetSource } from '../../rank/facets.ts'
import { hammingDistance, parseFingerprint } from '../../rank/fingerprint.ts'
import { combineScore, fileNameFactor, type ScoreParts, toFileName } from '../../rank/score-factors.ts'
import { Scorer } from '../../rank/scorer.ts'
import type { SearchClient } from '../client.ts'
import { type CardFacts, unpackCard } from '../document-card.ts'
import { CARDS_ONLY, type EngineHit, search } from './engine.ts'
import { type NearDuplicateTarget, routingParameter, toFilterQueries } from './filter-query.ts'
import { readQueryTerms } from './query-terms.ts'
import { ALL_DOCUMENTS, type EngineQuery, toMatchQuery, toScoreQueries } from './text-query.ts'

export interface CandidateLimits {
  /** Scored documents: more than MAX_OFFSET and a page of hits. */
  ranked: number
  counted: number
}

export const CANDIDATE_LIMITS: CandidateLimits = { ranked: 1200, counted: 10_000 }

export type RankedCandidate = Candidate & FacetSource & ScoreParts

export interface CandidateRequest {
  query: IndexQuery
  nearDuplicateTarget: NearDuplicateTarget | null
  limits: CandidateLimits
}

type Card = ReturnType<typeof unpackCard>

interface Matches {
  cards: Card[]
  total: number
  isTotalExact: boolean
}

export async function findCandidates(
  client: SearchClient,
  request: CandidateRequest,
): Promise<Candidates<RankedCandidate>> {
  const { text, anyWord } = request.query
  if (text === null) return findByFilter(client, request)
  const full = await findByText(client, request, text)
  if (anyWord === null || full.fullMatches >= MIN_FULL_MATCHES) return full
  const partial = await findByText(client, request, anyWord)
  const ranked = [...full.ranked, ...toPartialMatches(partial.ranked, { full: full.ranked, text })]
  return { ...partial, ranked, fullMatches: full.fullMatches }
}

async function findByFilter(client: SearchClient, request: CandidateRequest): Promise<Candidates<RankedCandidate>> {
  const { query } = request
  const order = query.sort === 'relevance' ? { link_rank: 'desc' } : { changed_at: 'desc' }
  const { cards, total, isTotalExact } = await findMatches(client, request, {
    match: ALL_DOCUMENTS,
    scores: [],
    sort: [order, { page: 'asc' }],
  })
  const ranked = cards.map((card) => toCandidate(card, { text: 1, isPartial: false }, query))
  return { ...NO_CANDIDATES, ranked, total, isTotalExact, fullMatches: total }
}

async function findByText(
  client: SearchClient,
  request: CandidateRequest,
  text: QueryNode,
): Promise<Candidates<RankedCandidate>> {
  const { query, limits } = request
  const match = toMatchQuery(text)
  if (match === null) return NO_CANDIDATES
  const isNewest = query.sort === 'newest'
  const [words, { cards, total, isTotalExact }] = await Promise.all([
    readQueryTerms(client, text),
    findMatches(client, request, {
      match,
      scores: isNewest ? [] : toScoreQueries(text),
      sort: [isNewest ? { changed_at: 'desc' } : '_score', { page: 'desc' }],
    }),
  ])
  const scorer = new Scorer(text, words)
  const fileName = toFileName(query.words)
  const byPage = new Map(cards.map((card) => [card.page, card]))
  const ranked = cards.map((card) => {
    scorer.read(card.bag)
    const score = scorer.score(card.length) * fileNameFactor(card.url, fileName)
    return toCandidate(card, { text: score, isPartial: !scorer.matchesContent() }, query)
  })
  return {
    ranked,
    total,
    isTotalExact,
    fullMatches: cards.length < limits.ranked ? ranked.filter(({ isPartial }) => !isPartial).length : total,
    explain(pageId) {
      const card = byPage.get(pageId)
      if (card === undefined) return {}
      scorer.read(card.bag)
      return scorer.scoresByField(card.length)
    },
  }
}

interface MatchRequest {
  match: EngineQuery
  /** Queries for the score; empty if the score is not needed. */
  scores: EngineQuery[]
  sort: unknown[]
}

async function findMatches(
  client: SearchClient,
  { query, nearDuplicateTarget: target, limits }: CandidateRequest,
  { match, scores, sort }: MatchRequest,
): Promise<Matches> {
  const conditions = { filter: [match, ...toFilterQueries(query, target)], should: scores }
  const body = {
    query: { bool: { ...conditions, minimum_should_match: 0 } },
    size: limits.ranked,
    sort,
    track_total_hits: limits.counted,
    ...CARDS_ONLY,
  }
  const { hits } = await search(client, body, routingParameter(query.filter))
  const cards = dropCopies(hits.hits.map(toCard))
  const { value: total = 0, relation = 'eq' } = hits.total ?? {}
  const copies = hits.hits.length - cards.length
  if (target === null || target.fingerprint === null)
    return { cards, total: total - copies, isTotalExact: relation === 'eq' }
  const near = cards.filter(isNear(target.fingerprint))
  return { cards: near, total: near.length, isTotalExact: cards.length < limits.ranked }
}

function toCard({ fields }: EngineHit): Card {
  return unpackCard(fields?.card?.[0] ?? '')
}

/**
 * While a document moves to the index of another month or is served from a rebuilt one, two indices have it. The later
 * page stays; of the same page, the first.
 */
export function dropCopies<T extends Pick<CardFacts, 'url' | 'page'>>(cards: T[]): T[] {
  const byUrl = new Map<string, T>()
  for (const card of cards) {
    const known = byUrl.get(card.url)
    if (known === undefined || card.page > known.page) byUrl.set(card.url, card)
  }
  return byUrl.size === cards.length ? cards : cards.filter((card) => byUrl.get(card.url) === card)
}

function isNear(fingerprint: string): (card: CardFacts) => boolean {
  const target = parseFingerprint(fingerprint)
  return (card) => {
    const own = parseFingerprint(card.fingerprint)
    return target !== null && own !== null && hammingDistance(own, target) <= NEAR_BITS
  }
}

function toCandidate(
  card: Card,
  { text, isPartial }: { text: number; isPartial: boolean },
  query: IndexQuery,
): RankedCandidate {
  const { page: pageId, url, host, title, lang, contentType, changedAt, linkRank } = card
  const fingerprint = parseFingerprint(card.fingerprint)
  const facts = { pageId, url, host, title, lang, contentType, fingerprint, changedAt, isPartial }
  return { ...facts, ...combineScore(text, { linkRank, lang, changedAt, isPartial }, query) }
}
