import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { diffLines } from '../../changes/diff/diff-lines.ts'
import { diffOutput } from './diff-output.ts'

const SENTENCE = 'Everyone who lives near the harbour may borrow a boat on a weekday, if one is left.'
const START = `${SENTENCE} ${SENTENCE} ${SENTENCE}`

function output(before: string | string[], after: string | string[]): string[] {
  const lines = diffLines([before].flat(), [after].flat()).map((line) => ({
    ...line,
    moved: line.isMoved,
    ignored: null,
  }))
  const hunks = [{ old_start: 1, new_start: 1, lines }]
  return diffOutput({ diff: { hunks, words_added: 0, words_removed: 0, is_cut: false }, problem: null }, '', false)
}

describe('a long line of a diff', () => {
  it('shows the words that differ, wherever they are', () => {
    const [removed, added] = output(
      `${START} It costs ten francs. ${START}`,
      `${START} It costs twelve francs. ${START}`,
    )
    assert.match(removed ?? '', /^ {3}- ….* It costs ten francs\. .*…$/)
    assert.match(added ?? '', /^ {3}\+ ….* It costs twelve francs\. .*…$/)
  })

  it('shows the place where words were left out', () => {
    const [removed, added] = output(
      `${START} Bring your own lunch box. ${START}`,
      `${START} Bring your lunch box. ${START}`,
    )
    assert.match(removed ?? '', /Bring your own lunch box/)
    assert.match(added ?? '', /Bring your lunch box/)
  })

  it('shows all differences that are near', () => {
    const [removed] = output(`${START} One red and one blue boat.`, `${START} Two red and five blue boats.`)
    assert.match(removed ?? '', / One red and one blue boat\.$/)
  })

  it('starts at its beginning if all of it is new', () => {
    const [, added] = output('Closed.', START)
    assert.match(added ?? '', /^ {3}\+ Everyone who .*…$/)
  })
})

it('a short line of a diff follows the line before it', () => {
  const prices = (flour: string) => ['Price list', 'Flour', flour, 'Sugar', '12', 'All prices are in francs per kilo.']
  assert.deepEqual(output(prices('20'), prices('30')), ['     Flour', '   - 20', '   + 30'])
  assert.deepEqual(output(['Hours', 'We open at seven.'], ['Hours', 'We open at nine.']), [
    '   - We open at seven.',
    '   + We open at nine.',
  ])
})
