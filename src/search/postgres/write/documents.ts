// Writes rows of documents and counts their terms.

import type { IndexedPage } from '../../../ports/index-feed.ts'
import type { IndexDocument } from '../../../ports/search.ts'
import { type Queryable, toPostgresText, toPostgresTextOrNull } from '../../../store/postgres/query.ts'
import { entityTerms } from '../../entity-terms.ts'
import { type DocumentLanguage, ownLanguage } from '../../host-languages.ts'
import { BagPacker } from '../../rank/term-bag.ts'
import { buildVectors } from '../field-vectors.ts'
import { fingerprintQuarters } from '../fingerprint-quarters.ts'
import { titleKey } from '../read/suggestions.ts'
import { urlKey } from '../url-key.ts'

export interface DocumentWrite {
  /** Key of the URL. */
  key: string
  document: IndexDocument
  /** The URL had no document before. */
  isNew: boolean
  /** Place of the document in a search engine; null if it is in this row. */
  place: string | null
}

const COLUMNS = {
  url_key: 'uuid',
  page: 'bigint',
  crawl: 'text',
  url_id: 'bigint',
  visited_at: 'bigint',
  changed_at: 'bigint',
  expires_at: 'bigint',
  fingerprint: 'bigint',
  content_length: 'bigint',
  version: 'int',
  length: 'int',
  http_status: 'int',
  depth: 'int',
  path_at: 'int',
  url: 'text',
  host: 'text',
  lang: 'text',
  possible_langs: 'text[]',
  content_type: 'text',
  title: 'text',
  title_key: 'text',
  starts: 'smallint[]',
  quarters: 'int[]',
  keywords: 'text[]',
  entities: 'jsonb',
  names: 'text[]',
  text: 'text',
  terms: 'tsvector',
  others: 'tsvector',
  lines: 'int[]',
  repeated: 'int[]',
  bag: 'bytea',
  place: 'text',
} as const
/** Columns of the rank table only. */
const RANK = { link_rank: 'real', inlinks: 'bigint' } as const

type ColumnName = keyof typeof COLUMNS | keyof typeof RANK
type DocumentRow = Record<ColumnName, unknown>

const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]
const ALL = { ...COLUMNS, ...RANK }
const ALL_NAMES = Object.keys(ALL) as ColumnName[]

/**
 * Arrays cannot be nested, so array columns of a row are passed as JSON, and types that Postgres parses itself as text.
 */
function columnExpression(name: keyof typeof COLUMNS): string {
  const type = COLUMNS[name]
  if (type === 'text[]')
    return `case when r.${name} is not null then array(select jsonb_array_elements_text(r.${name}::jsonb)) end`
  return isScalarType(type) ? `r.${name}` : `r.${name}::${type}`
}

function isScalarType(type: string): boolean {
  return !type.endsWith('[]') && type !== 'tsvector' && type !== 'jsonb'
}

/** $1 is the slot. */
const INSERT = {
  name: 'index_add',
  text: `with r as materialized (select * from unnest(${ALL_NAMES.map((columnName, i) => `$${i + 2}::${isScalarType(ALL[columnName]) ? ALL[columnName] : 'text'}[]`).join(', ')})
        as r (${ALL_NAMES.join(', ')})),
    ranked as (insert into url_ranks (url_key, link_rank, inlinks)
      select url_key, link_rank, inlinks from r order by url_key on conflict (url_key) do nothing),
    added as (insert into documents (${NAMES.join(', ')}) select ${NAMES.map(columnExpression).join(', ')} from r
      order by r.url_key returning lang, length, terms),
    counted as (insert into index_counts as c (slot, lang, documents, terms)
      select $1::smallint, coalesce(lang, ''), count(*), sum(length) from added group by lang order by lang
      on conflict (slot, lang) do update set documents = c.documents + excluded.documents, terms = c.terms + excluded.terms)
    insert into term_counts as c (term, slot, documents)
      select t.term, $1::smallint, count(*) from added, unnest(tsvector_to_array(added.terms)) as t (term)
      group by t.term order by t.term
      on conflict (term, slot) do update set documents = c.documents + excluded.documents`,
}

/** The URLs must not have documents yet. */
export async function addDocuments(tx: Queryable, slot: number, written: DocumentWrite[]): Promise<void> {
  if (written.length === 0) return
  const bagPacker = new BagPacker()
  const rows = written.map((one) => toRow(one, bagPacker))
  await tx.query({ ...INSERT, values: [slot, ...ALL_NAMES.map((columnName) => rows.map((row) => row[columnName]))] })
}

const INDEXED = {
  name: 'index_indexed',
  text: `select d.page, d.version, d.lang, d.possible_langs, d.lines, d.repeated
    from unnest($1::uuid[]) with ordinality as w (url_key, place) left join documents d on d.url_key = w.url_key
    order by w.place`,
}

/** The indexed page of each URL; null if there is none. */
export async function readIndexedPages(db: Queryable, urls: string[]): Promise<(IndexedPage | null)[]> {
  const { rows } = await db.query({ ...INDEXED, values: [urls.map(urlKey)] })
  return rows.map(toIndexedPage)
}

function toIndexedPage(row: Record<string, unknown>): IndexedPage | null {
  if (row['page'] === null) return null
  return {
    pageId: Number(row['page']),
    version: Number(row['version']),
    ownLang: ownLanguage(toDocumentLanguage(row)),
    lines: row['lines'] as number[],
    repeated: row['repeated'] as number[] | null,
  }
}

export function toDocumentLanguage(row: Record<string, unknown>): DocumentLanguage {
  return { lang: row['lang'] as string | null, possibleLangs: row['possible_langs'] as string[] | null }
}

function toRow({ key, document, place }: DocumentWrite, bagPacker: BagPacker): DocumentRow {
  const { allFields: terms, smallFields: others, starts, length } = buildVectors(document)
  return {
    url_key: key,
    page: document.pageId,
    crawl: document.crawlId,
    url_id: document.urlId,
    visited_at: document.visitedAt,
    changed_at: document.changedAt,
    expires_at: document.expiresAt,
    fingerprint: document.fingerprint,
    content_length: document.contentLength,
    version: document.version,
    length,
    http_status: document.httpStatus,
    depth: document.depth,
    path_at: pathAt(document.url),
    url: toPostgresText(document.url),
    host: toPostgresText(document.host),
    lang: toPostgresTextOrNull(document.lang),
    possible_langs: document.possibleLangs === null ? null : toJson(document.possibleLangs),
    content_type: toPostgresTextOrNull(document.contentType),
    title: toPostgresText(document.title),
    title_key: titleKey(document.title),
    starts: `{${starts.join(',')}}`,
    quarters: `{${fingerprintQuarters(document.fingerprint).join(',')}}`,
    keywords: toJson(document.keywords.map(plainJson)),
    entities: toJson(document.entities.map(({ kind, text }) => ({ kind, text: plainJson(text) }))),
    names: toJson(entityTerms(document.entities).map(plainJson)),
    text: toPostgresText(document.text),
    terms,
    others,
    lines: `{${document.lines.join(',')}}`,
    repeated: `{${document.repeated.join(',')}}`,
    bag: Buffer.from(bagPacker.pack(document.terms).content),
    place,
    link_rank: document.linkRank,
    inlinks: document.inlinks,
  }
}

function toJson(value: unknown): string {
  return JSON.stringify(value)
}

/** Postgres rejects lone surrogates, which JSON escapes. */
function plainJson(text: string): string {
  return toPostgresText(text).toWellFormed()
}

/** Start of the path, counted from 1 in characters, as Postgres does. */
function pathAt(url: string): number {
  const at = url.indexOf('/', url.indexOf('://') + 3)
  return [...url.slice(0, at === -1 ? url.length : at)].length + 1
}
