import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { makeEmptyDatabase, type TestDatabase } from '../../../store/testing/test-database.ts'
import { bm25, bm25Sql, lengthNorm, lengthNormSql } from '../../rank/bm25.ts'

const CASES = 500
/** Both compute with doubles; the order of the factors may differ by a rounding or two. */
const TOLERANCE = 1e-15 * 4

describe('BM25 in SQL', () => {
  let database: TestDatabase
  let client: pg.Client

  before(async () => {
    database = await makeEmptyDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
  })
  after(async () => {
    await client.end()
    await database.drop()
  })

  it('agrees with the function that scores in memory', async () => {
    const cases = fc.sample(
      fc.record({
        rarity: fc.double({ min: 1e-6, max: 20, noNaN: true }),
        frequency: fc.oneof(
          fc.constant(0),
          fc.integer({ min: 1, max: 5_000 }).map((tenths) => tenths / 10),
        ),
        length: fc.nat(1_000_000),
        average: fc.double({ min: 1, max: 100_000, noNaN: true }),
      }),
      CASES,
    )
    const { rows } = await client.query(
      `select ${bm25Sql('rarity', 'frequency', lengthNormSql('length', 'average'))} as score
        from unnest($1::float8[], $2::float8[], $3::int[], $4::float8[])
          with ordinality as t (rarity, frequency, length, average, i) order by i`,
      (['rarity', 'frequency', 'length', 'average'] as const).map((name) => cases.map((one) => one[name])),
    )
    assert.equal(rows.length, CASES)
    for (const [i, { rarity, frequency, length, average }] of cases.entries()) {
      const expected = bm25(rarity, frequency, lengthNorm(length, average))
      const actual = Number(rows[i].score)
      assert.ok(
        Math.abs(actual - expected) <= TOLERANCE * expected,
        `${actual} in SQL, ${expected} in memory: ${JSON.stringify(cases[i])}`,
      )
    }
  })
})
