// BM25 over weighted fields as an SQL expression on `d`: a row of documents with its vectors unpacked as `vector` and
// `other_vector`. A term counts by its occurrences times the weight of their field; a phrase counts as often as its
// rarest term.

import { FIELD_WEIGHTS, type Field } from '../../../ports/search.ts'
import type { QueryLeaf } from '../../query/query-leaves.ts'
import { averageLength, bm25Sql, idf, lengthNormSql } from '../../rank/bm25.ts'
import { FIELD_PLACES, quoteLexeme } from '../field-vectors.ts'
import type { SqlParams } from '../sql-params.ts'
import type { CorpusStatistics } from './corpus-statistics.ts'

/** `0` if there is nothing to score. */
export function scoreSql(leaves: QueryLeaf[], corpusStatistics: CorpusStatistics, sqlParams: SqlParams): string {
  if (leaves.length === 0) return '0'
  const average = averageLength(corpusStatistics.totalTerms, corpusStatistics.documents)
  const norm = lengthNormSql('d.length', sqlParams.add(average, 'double precision'))
  return leaves
    .map((queryLeaf) => {
      const rarity = sqlParams.add(leafIdf(queryLeaf, corpusStatistics), 'double precision')
      // `offset 0` keeps Postgres from inlining the frequency, which would compute it twice.
      const frequency = `select ${frequencySql(queryLeaf, sqlParams)} as f offset 0`
      return `(select ${bm25Sql(rarity, 'f', norm)} from (${frequency}) as leaf)`
    })
    .join(' + ')
}

export function leafIdf(
  queryLeaf: QueryLeaf,
  { documents, documentFrequencies, termsByPrefix }: CorpusStatistics,
): number {
  const having = (term: string) => documentFrequencies.get(term) ?? 0
  const counts = queryLeaf.isPrefix
    ? queryLeaf.terms.map((term) => (termsByPrefix.get(term) ?? []).reduce((sum, one) => sum + having(one), 0))
    : queryLeaf.terms.map(having)
  return idf(documents, Math.min(...counts))
}

function frequencySql({ kind, terms, isPrefix, field }: QueryLeaf, sqlParams: SqlParams): string {
  const each = [...new Set(terms)].map((term) => termSql(term, { isPrefix, field }, sqlParams))
  if (kind === 'any') return each.join(' + ')
  const least = each.length === 1 ? each.join('') : `least(${each.join(', ')})`
  if (kind === 'near') return least
  const phrase = sqlParams.add(terms.map(quoteLexeme).join(' <-> '), 'tsquery')
  return `case when d.vector @@ ${phrase} then ${least} else 0 end`
}

/** Label weights for A, A to B, A to C and A to D, in the order of ts_rank: D first. */
const UP_TO = { A: '{0,0,0,1}', B: '{0,0,1,1}', C: '{0,1,1,1}', D: '{1,1,1,1}' } as const
const BEFORE = { A: null, B: 'A', C: 'B', D: 'C' } as const

/** Of many words with the same prefix each counts about once, however often it occurs. */
function termSql(
  term: string,
  { isPrefix, field }: Pick<QueryLeaf, 'isPrefix' | 'field'>,
  sqlParams: SqlParams,
): string {
  const query = sqlParams.add(`${quoteLexeme(term)}${isPrefix ? ':*' : ''}`, 'tsquery')
  const counter = isPrefix ? 'occurrences_of_any' : 'occurrences'
  const counted = (of: Field) => {
    const { vector, label } = FIELD_PLACES[of]
    const column = vector === 'terms' ? 'd.vector' : 'd.other_vector'
    const count = (to: 'A' | 'B' | 'C' | 'D') => `${counter}(${column}, ${query}, '${UP_TO[to]}')`
    const before = BEFORE[label]
    return `${FIELD_WEIGHTS[of]} * ${before === null ? count(label) : `(${count(label)} - ${count(before)})`}`
  }
  if (field !== null) return `(${counted(field)})`
  const sum = (fields: Field[]) => fields.map(counted).join(' + ')
  const others = sum(['anchors', 'url', 'description', 'boilerplate'])
  return `(${sum(['title', 'headings', 'body'])} + case when d.other_vector @@ ${query} then ${others} else 0 end)`
}
