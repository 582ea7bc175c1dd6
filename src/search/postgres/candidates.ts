// Documents that fit a query, with what their order depends on. So many are ranked and no more: when more fit, first those
// that have the words in title or headings, unless the newest are asked for; then the newest.

import type { IndexQuery } from '../../ports/search.ts'
import type { Queryable, Row, Statement } from '../../store/postgres/query.ts'
import type { Candidate } from '../rank/arrange.ts'
import { type Leaf, leavesOf } from '../rank/bm25.ts'
import type { Facetted } from '../rank/facets.ts'
import { freshnessFactor, linkFactor } from '../rank/factors.ts'
import { toPrint } from '../rank/fingerprint.ts'
import { filterRows, type Likeness } from './filter.ts'
import { matchText, type TextMatch } from './match.ts'
import { Params } from './params.ts'
import { scoreSql } from './score.ts'
import { mostThatFit, readStatistics, type Statistics } from './statistics.ts'

export interface Limits {
  /** Documents that are ranked: more than MAX_OFFSET and a page of hits. */
  ranked: number
  /** Documents with the words whose phrases and fields are looked at. */
  looked: number
  counted: number
}

/** 8 us for each that is ranked or looked at, 1 us for one that is counted (2026-11). */
export const LIMITS: Limits = { ranked: 1200, looked: 20_000, counted: 10_000 }

export type Ranked = Candidate & Facetted & { text: number; linkRank: number }

export interface Candidates {
  ranked: Ranked[]
  total: number
  isTotalExact: boolean
  leaves: Leaf[]
  statistics: Statistics
}

const NONE = { ranked: [], total: 0, isTotalExact: true }
const RANKS = 'document_ranks r on r.crawl = d.crawl and r.url_id = d.url_id'
const ROWS = `documents d join ${RANKS}`
const FACETS = 'd.lang, d.content_type'

export interface Wanted {
  query: IndexQuery
  likeness: Likeness | null
  limits: Limits
}

export async function findCandidates(db: Queryable, wanted: Wanted): Promise<Candidates> {
  const { text } = wanted.query
  const leaves = text === null ? [] : leavesOf(text)
  const statistics = await readStatistics(db, leaves)
  const asked = { ...wanted, leaves, statistics }
  const match = text === null ? null : matchText(text)
  if (text !== null && match === null) return { ...NONE, leaves, statistics }
  const found = match === null ? await byFilter(db, asked) : await byText(db, asked, match)
  return { ...found, leaves, statistics }
}

interface Asked extends Wanted {
  leaves: Leaf[]
  statistics: Statistics
}

type Found = Pick<Candidates, 'ranked' | 'total' | 'isTotalExact'>

async function byFilter(db: Queryable, asked: Asked): Promise<Found> {
  const { query, likeness, limits } = asked
  const params = new Params()
  const conditions = conditionsOf(query, likeness, params)
  const order = query.sort === 'relevance' ? 'r.link_rank desc, d.page' : 'd.changed_at desc, d.page'
  const sql = `select ${columns(query)}, d.fingerprint::text as print, r.link_rank, 1 as text from ${ROWS}
    where ${conditions.join(' and ')} order by ${order} limit ${limits.ranked + 1}`
  const ranked = await read(db, { text: sql, values: params.values }, query)
  if (ranked.length > limits.ranked) return { ranked, ...(await count(db, asked, null)) }
  return { ranked, total: ranked.length, isTotalExact: true }
}

async function byText(db: Queryable, asked: Asked, match: TextMatch): Promise<Found> {
  const { limits, query } = asked
  const most = mostThatFit(query.text, asked.statistics)
  const isLookedAt = match.isPlain || most <= limits.looked
  const hasBest = most > limits.ranked && query.sort !== 'newest'
  const best = hasBest ? await rank(db, asked, { ...match, heads: match.words }) : []
  if (best.length > limits.ranked) return { ranked: best, ...(await count(db, asked, match)) }
  const known = new Set(best.map(({ pageId }) => pageId))
  const all = await rank(db, asked, match)
  const rest = all.filter(({ pageId }) => !known.has(pageId))
  const ranked = [...best, ...rest].slice(0, Math.max(limits.ranked, best.length))
  if (all.length > limits.ranked) return { ranked, ...(await count(db, asked, match)) }
  return { ranked, total: ranked.length, isTotalExact: isLookedAt }
}

async function rank(
  db: Queryable,
  { query, likeness, leaves, statistics, limits }: Asked,
  match: TextMatch,
): Promise<Ranked[]> {
  const params = new Params()
  const conditions = conditionsOf(query, likeness, params)
  const most = match.isPlain ? limits.ranked + 1 : limits.looked
  const looked = `${lookAt(match, { rows: rowsFor(query), conditions }, params)} order by ${orderOf(query, statistics)} limit ${most}`
  // They are chosen in the order in which they were looked at; to ask for it again would unpack those past the limit.
  // Vectors are unpacked once: every function that is given a packed one unpacks it anew. This one finds nothing to delete.
  const chosen = `select d.*, ts_delete(d.terms, ' ') as vector, ts_delete(d.others, ' ') as other_vector
    from (${looked}) as d where ${match.isPlain ? 'true' : match.sql(params)} limit ${limits.ranked + 1}`
  const sql = `select ${columns(query)}, d.fingerprint::text as print, r.link_rank,
    ${scoreSql(leaves, statistics, params)} as text from (${chosen}) as d join ${RANKS}`
  return read(db, { text: sql, values: params.values }, query)
}

/** A document that is looked at on the way, to see whether it fits, costs as much as eight that are known to (2026-11). */
const LOOKING_COST = 8

/**
 * The newest first. Where many fit, they are met soon on the way along an index of times or pages; else all that fit are
 * put in order, for which Postgres is kept from that index: it takes looking at a document for cheaper than it is.
 */
function orderOf({ sort, text }: IndexQuery, statistics: Statistics): string {
  const most = mostThatFit(text, statistics)
  const isCommon = most * most > LOOKING_COST * LIMITS.ranked * statistics.documents
  const plain = isCommon ? '' : ' + 0'
  return `${sort === 'newest' ? `d.changed_at${plain} desc, ` : ''}d.page${plain} desc`
}

/** What the index finds by itself; the rest of the condition is for those alone. */
function lookAt(
  match: TextMatch,
  { rows, conditions }: { rows: string; conditions: string[] },
  params: Params,
): string {
  const words = match.isPlain ? match.sql(params) : `d.terms @@ ${params.add(match.words, 'tsquery')}`
  const heads = match.heads === null ? [] : [`ts_filter(d.terms, '{a,b}') @@ ${params.add(match.heads, 'tsquery')}`]
  return `select d.page, d.crawl, d.url_id, d.host, d.changed_at, d.fingerprint, ${FACETS}, d.length, d.terms, d.others
    from ${rows} where ${[words, ...heads, ...conditions].join(' and ')}`
}

/** Every document has a rank: only a condition on it needs to see it. */
function rowsFor({ filter }: IndexQuery): string {
  return filter.inlinks === null ? 'documents d' : ROWS
}

/** There are more than are ranked. */
async function count(
  db: Queryable,
  { query, likeness, limits }: Asked,
  match: TextMatch | null,
): Promise<Omit<Found, 'ranked'>> {
  if (match !== null && !match.isPlain) return { total: limits.ranked, isTotalExact: false }
  const params = new Params()
  const words = match === null ? [] : [match.sql(params)]
  const conditions = [...words, ...conditionsOf(query, likeness, params)]
  const text = `select count(*) as count from (
    select 1 from ${rowsFor(query)} where ${conditions.join(' and ')} limit ${limits.counted}) as counted`
  const [row] = (await db.query({ text, values: params.values })).rows
  const total = Number(row?.['count'])
  return { total, isTotalExact: total < limits.counted }
}

function conditionsOf({ filter, now }: IndexQuery, likeness: Likeness | null, params: Params): string[] {
  return [
    ...filterRows(filter, likeness, params),
    `(d.expires_at is null or d.expires_at > ${params.add(now, 'bigint')})`,
  ]
}

function columns({ wantsFacets }: IndexQuery): string {
  return `d.page, d.host, d.changed_at${wantsFacets ? `, ${FACETS}` : ''}`
}

async function read(db: Queryable, statement: Statement, query: IndexQuery): Promise<Ranked[]> {
  return (await db.query(statement)).rows.map((row) => toRanked(row, query))
}

function toRanked(row: Row, query: IndexQuery): Ranked {
  const bare = {
    pageId: Number(row['page']),
    host: String(row['host']),
    lang: (row['lang'] ?? null) as string | null,
    contentType: (row['content_type'] ?? null) as string | null,
    print: toPrint(row['print'] as string | null),
    changedAt: Number(row['changed_at']),
    linkRank: Number(row['link_rank']),
  }
  return withText(bare, Number(row['text']), query)
}

export function withText(one: Omit<Ranked, 'text' | 'score'>, text: number, query: IndexQuery): Ranked {
  const score = text * linkFactor(one.linkRank) * freshnessFactor(one.changedAt, query)
  return { ...one, text, score }
}
