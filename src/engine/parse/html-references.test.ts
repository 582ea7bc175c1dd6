import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeHTML } from 'entities'
import fc from 'fast-check'
import { type CodeSpan, decodeReference, referenceEnd } from './html-references.ts'
import { copyCodes } from './utf16-codes.ts'

function decodeOne(text: string): [decoded: string, rest: string] {
  const codes = copyCodes(text)
  const end = referenceEnd(codes, 0, text.length)
  const span: CodeSpan = { codes, start: 0, end: 0 }
  decodeReference(codes, 0, end, span)
  return [String.fromCharCode(...span.codes.subarray(span.start, span.end)), text.slice(end)]
}

const CASES: readonly [text: string, decoded: string, rest: string][] = [
  ['&amp;x', '&', 'x'],
  ['&ampx;y', '&x;', 'y'],
  ['&amp x', '&', ' x'],
  ['&nbsp;&lt;', '\u00a0', '&lt;'],
  ['&#x1F600;!', '\u{1f600}', '!'],
  ['&#0;', '\ufffd', ''],
  ['&#x80;', '\u20ac', ''],
  ['&#xD800;', '\ufffd', ''],
  ['&#x110000;', '\ufffd', ''],
  ['&#0000000000000000000000000000000000000000000065;', 'A', ''],
  ['&#12abc', '\f', 'abc'],
  ['&#xg', '&#', 'xg'],
  ['&CounterClockwiseContourIntegral;', '\u2233', ''],
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

test('decoding one reference at a time equals decoding all at once', () => {
  const names = ['amp', 'notin', 'not', 'AMP', 'eacute', 'CounterClockwiseContourIntegral', 'a'.repeat(40)]
  const piece = fc.constantFrom('&', '#', ';', 'x', '39', '1F600', 'd8', '9', '0', ' ', '<', 'é', ...names)
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = `&${pieces.join('')}`
      const [decoded, rest] = decodeOne(text)
      assert.equal(decoded + decodeHTML(rest), decodeHTML(text))
    }),
  )
})
