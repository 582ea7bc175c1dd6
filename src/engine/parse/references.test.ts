import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeHTML } from 'entities'
import fc from 'fast-check'
import { copyCodes } from './codes.ts'
import { decodeReference, referenceEnd } from './references.ts'

function decodeOne(text: string): [decoded: string, rest: string] {
  const codes = copyCodes(text)
  const end = referenceEnd(codes, 0, text.length)
  return [String.fromCharCode(...decodeReference(text, codes, 0, end)), text.slice(end)]
}

const CASES: readonly [text: string, decoded: string, rest: string][] = [
  ['&amp;x', '&', 'x'],
  ['&ampx;y', '&x;', 'y'],
  ['&amp x', '&', ' x'],
  ['&nbsp;&lt;', '\u00a0', '&lt;'],
  ['&#x1F600;!', '\u{1f600}', '!'],
  ['&#0;', '\ufffd', ''],
  ['&##x;', '&#', '#x;'],
  ['& b', '&', ' b'],
  ['&', '&', ''],
  ['&unknown;', '&unknown;', ''],
]

for (const [text, decoded, rest] of CASES) {
  test(`${text} is ${JSON.stringify(decoded)} and ${JSON.stringify(rest)}`, () => {
    assert.deepEqual(decodeOne(text), [decoded, rest])
  })
}

test('decoding one reference at a time is decoding all at once', () => {
  const piece = fc.constantFrom('&', '#', ';', 'amp', 'notin', 'not', 'x', '39', 'AMP', 'eacute', ' ', '<', 'é')
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = `&${pieces.join('')}`
      const [decoded, rest] = decodeOne(text)
      assert.equal(decoded + decodeHTML(rest), decodeHTML(text))
    }),
  )
})
