import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { testPool } from '../testing/test-pool.ts'
import { NearDuplicates } from './postgres-near-duplicates.ts'

/** Fingerprints that often agree in one quarter, or in nearly all bits. */
const base = fc.constantFrom(0n, 0xff_ffff_ffff_ffffn, 0xab_cdef_0123_4567n)
const fingerprint = fc
  .tuple(base, fc.array(fc.bigInt({ min: 0n, max: 55n }), { maxLength: 6 }))
  .map(([start, bits]) => bits.reduce((print, bit) => print ^ (1n << bit), start))

function quarterOf(print: bigint, i: number): bigint {
  return (print >> BigInt(14 * i)) & 0x3fffn
}

function bitsOf(print: bigint): number {
  return print.toString(2).replaceAll('0', '').length
}

/** The naive search: quarter by quarter, oldest page first. */
function nearestOf(known: { print: bigint; page: number }[], print: bigint): number | null {
  for (const i of [0, 1, 2, 3]) {
    const near = known.find((k) => quarterOf(k.print, i) === quarterOf(print, i) && bitsOf(k.print ^ print) <= 3)
    if (near !== undefined) return near.page
  }
  return null
}

it('batches find the same as one page after the other', async (t) => {
  const pool = await testPool(t)
  const batches = fc.array(fc.array(fingerprint, { maxLength: 5 }), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(batches, async (added) => {
      await pool.query('truncate fingerprints')
      const known: { print: bigint; page: number }[] = []
      let page = 0
      for (const batch of added) {
        const nearDuplicates = new NearDuplicates()
        const prints = batch.map((print, i) => ({ fingerprint: print, urlHash: BigInt(page + i) }))
        await nearDuplicates.load(pool, prints)
        for (const print of prints) {
          const nearest = nearDuplicates.find(print).page
          assert.equal(nearest, nearestOf(known, print.fingerprint))
          page += 1
          if (nearest !== null) continue
          nearDuplicates.add(print, page)
          known.push({ print: print.fingerprint, page })
        }
        await nearDuplicates.save(pool)
      }
    }),
    { numRuns: 60 },
  )
})

it('of pages that share a quarter only the first few hundred are kept', async (t) => {
  const pool = await testPool(t)
  const prints = Array.from({ length: 300 }, (_, i) => ({
    fingerprint: (BigInt(i * 16 + 15) << 42n) | (BigInt(i * 7) << 14n),
    urlHash: BigInt(i),
  }))
  for (const half of [prints.slice(0, 150), prints.slice(150)]) {
    const nearDuplicates = new NearDuplicates()
    await nearDuplicates.load(pool, half)
    for (const print of half) nearDuplicates.add(print, prints.indexOf(print) + 1)
    await nearDuplicates.save(pool)
  }
  const { rows } = await pool.query('select count(*) as n from fingerprints where quarter = 0')
  assert.equal(rows[0]?.n, 200)
})
