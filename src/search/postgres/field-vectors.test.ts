import assert from 'node:assert/strict'
import { it } from 'node:test'
import { makeDocument } from '../../ports/contracts/testing/test-index.ts'
import { FIELDS } from '../../ports/search.ts'
import { buildVectors, NO_POSITION } from './field-vectors.ts'

function positionsOf(vector: string, term: string): string[] {
  const word = vector.split(' ').find((one) => one.startsWith(`'${term}':`))
  return word?.slice(term.length + 3).split(',') ?? []
}

it('the first vector has every term, the second those of the smaller fields', () => {
  const {
    allFields: terms,
    smallFields,
    length,
  } = buildVectors(
    makeDocument(1, {
      terms: { title: 'a', headings: 'b', anchors: 'c', description: 'd', boilerplate: 'e', body: 'f a' },
    }),
  )
  assert.equal(length, 7)
  const labels = ['a', 'b', 'c', 'd', 'e', 'f'].map((term) => positionsOf(terms, term).map((at) => at.at(-1)))
  assert.deepEqual(labels, [['A', 'D'], ['B'], ['C'], ['C'], ['C'], ['D']])
  const own = ['a', 'b', 'c', 'd', 'e', 'f'].map((term) => positionsOf(smallFields, term).map((at) => at.at(-1)))
  assert.deepEqual(own, [[], [], ['A'], ['C'], ['D'], []])
})

it('positions ascend within a field, with a gap between fields', () => {
  const all = Object.fromEntries(FIELDS.map((field) => [field, `${field}x ${field}y`]))
  const { allFields: terms, starts } = buildVectors(makeDocument(1, { terms: all }))
  const at = (term: string) => Number.parseInt(positionsOf(terms, term)[0] ?? '', 10)
  for (const [i, field] of FIELDS.entries()) {
    assert.deepEqual([at(`${field}x`), at(`${field}y`)], [starts[i], (starts[i] ?? 0) + 1])
  }
  const used = new Set(FIELDS.flatMap((field) => [at(`${field}x`), at(`${field}y`)]))
  for (const field of FIELDS) assert.ok(!used.has(at(`${field}y`) + 1))
})

it('a document of any length has valid Postgres positions, and the body gets its share', () => {
  const long = Array.from({ length: 30_000 }, (_, i) => `t${i}`).join(' ')
  const { allFields: terms } = buildVectors(
    makeDocument(1, { terms: { headings: long, boilerplate: long, body: `${long} end` } }),
  )
  const positions = [...terms.matchAll(/(\d+)[A-D]/g)].map(([, at]) => Number(at))
  assert.ok(positions.every((at) => at <= NO_POSITION && at !== NO_POSITION - 1))
  assert.deepEqual(positionsOf(terms, 'end'), [`${NO_POSITION}D`])
  assert.ok(positionsOf(terms, 't5000').some((at) => at.endsWith('D') && at !== `${NO_POSITION}D`))
  assert.ok(Buffer.byteLength(terms) < 4_000_000)
})
