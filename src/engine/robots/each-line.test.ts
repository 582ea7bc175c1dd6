import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { eachLine } from './each-line.ts'

it('lines and their numbers are those of splitting at CR, LF and CRLF', () => {
  const property = fc.property(fc.stringMatching(/^[a\r\n]{0,12}$/), (text) => {
    const seen: [string, number][] = []
    eachLine(text, (line, number) => seen.push([line, number]))
    const expected = text.split(/\r\n|\r|\n/).map((line, index): [string, number] => [line, index + 1])
    assert.deepEqual(
      seen,
      expected.filter(([line]) => line !== ''),
    )
  })
  fc.assert(property, { numRuns: 1000 })
})
