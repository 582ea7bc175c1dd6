import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { makeTextWriter } from '../../../test/sites/traps/text-writer.ts'
import { NEAR_BITS } from '../../ports/pages.ts'
import { FingerprintBuilder, fingerprintDistance, MIN_FINGERPRINT_WORDS } from './fingerprint.ts'
import { profileText } from './text-profiler.ts'

const PAGES = 400

function fingerprintOf(words: readonly string[]): bigint {
  const { fingerprint } = profileText(words.join(' '))
  assert.ok(fingerprint !== null)
  return fingerprint
}

/** The share of pages with this many words that stay near-duplicates after a change. */
function shareNear(words: number, change: (words: readonly string[], at: number) => string[]): number {
  const textWriter = makeTextWriter(words)
  let near = 0
  for (let i = 0; i < PAGES; i++) {
    const page = Array.from({ length: words }, textWriter.word)
    const changed = change(page, textWriter.random.below(words - 20))
    if (fingerprintDistance(fingerprintOf(page), fingerprintOf(changed)) <= NEAR_BITS) near++
  }
  return near / PAGES
}

test('the distance is the number of differing bits', () => {
  const bits = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  const count = (value: bigint) => BigInt.asUintN(64, value).toString(2).replaceAll('0', '').length
  fc.assert(fc.property(bits, bits, (a, b) => fingerprintDistance(a, b) === count(a ^ b)))
  assert.equal(fingerprintDistance(-1n, 0n), 64)
})

test('a fingerprint is a positive signed 64-bit number', () => {
  const words = fc.array(fc.integer(), { minLength: 100 })
  fc.assert(
    fc.property(words, (hashes) => {
      const fingerprintBuilder = new FingerprintBuilder()
      fingerprintBuilder.add(Int32Array.from(hashes), hashes.length)
      const fingerprint = fingerprintBuilder.finish()
      return fingerprint === null || (fingerprint >= 0n && BigInt.asIntN(64, fingerprint) === fingerprint)
    }),
  )
})

test('a builder returns the same result again after finish', () => {
  const words = Int32Array.from({ length: 100 }, (_, i) => Math.imul(i, 0x9e3779b1))
  const fingerprintBuilder = new FingerprintBuilder()
  fingerprintBuilder.add(words, 100)
  const first = fingerprintBuilder.finish()
  assert.equal(fingerprintBuilder.finish(), null)
  fingerprintBuilder.add(words.subarray(0, 40), 40)
  fingerprintBuilder.add(words.subarray(40), 60)
  assert.equal(fingerprintBuilder.finish(), first)
})

test('too few words have no fingerprint', () => {
  const words = Array.from({ length: MIN_FINGERPRINT_WORDS }, makeTextWriter(1, 100_000).word)
  assert.equal(profileText(words.slice(1).join(' ')).fingerprint, null)
  assert.notEqual(profileText(words.join(' ')).fingerprint, null)
})

test('a changed word keeps a page of 300 words near', () => {
  const share = shareNear(300, (words, at) => words.with(at, 'changed'))
  assert.ok(share > 0.98, `${share}`)
})

test('an additional sentence keeps a page of 300 words near', () => {
  const sentence = 'here is something that was not to be read on this page until today'.split(' ')
  const share = shareNear(300, (words, at) => words.toSpliced(at, 0, ...sentence))
  assert.ok(share > 0.85, `${share}`)
})

test('a replaced sentence keeps a page of 1000 words near', () => {
  const sentence = 'here is something that was not to be read on this page until today'.split(' ')
  const share = shareNear(1000, (words, at) => words.toSpliced(at, sentence.length, ...sentence))
  assert.ok(share > 0.95, `${share}`)
})

test('pages that share only their language are never near, however short', () => {
  const textWriter = makeTextWriter(7)
  const pages = Array.from({ length: PAGES }, (_, i) => fingerprintOf(Array.from({ length: 50 + i }, textWriter.word)))
  const distances = pages.flatMap((a, i) => pages.slice(0, i).map((b) => fingerprintDistance(a, b)))
  assert.ok(Math.min(...distances.slice(0, 50_000)) > NEAR_BITS)
})

test('pages with half of their text in common are not near', () => {
  const textWriter = makeTextWriter(8)
  const common = Array.from({ length: 200 }, textWriter.word)
  const pages = Array.from({ length: 200 }, () =>
    fingerprintOf([...common, ...Array.from({ length: 200 }, textWriter.word)]),
  )
  const near = pages.flatMap((a, i) => pages.slice(0, i).filter((b) => fingerprintDistance(a, b) <= NEAR_BITS))
  assert.ok(near.length <= 2, `${near.length} of 19,900 pairs`)
})
