import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DiffLine } from '../../text/changes.ts'
import { countFoldedLines, splitLine, toPlainText } from './diff-text.ts'

const line = (kind: DiffLine['kind'], text: string, changed: [number, number][] = []): DiffLine => {
  return { kind, text, changed, moved: false, ignored: null }
}
const diff = {
  hunks: [
    { old_start: 3, new_start: 3, lines: [line('same', 'a'), line('removed', 'b'), line('added', 'c')] },
    { old_start: 20, new_start: 20, lines: [line('added', 'd'), line('same', 'e')] },
  ],
  words_added: 2,
  words_removed: 1,
  is_cut: false,
}

test('a line is split at the words that differ', () => {
  const { text } = line('added', '')
  assert.deepEqual(splitLine({ text, changed: [] }), [])
  assert.deepEqual(splitLine(line('added', 'The price is 30 EUR.', [[13, 15]])), [
    { text: 'The price is ', isChanged: false },
    { text: '30', isChanged: true },
    { text: ' EUR.', isChanged: false },
  ])
  const whole: [number, number][] = [
    [0, 3],
    [4, 7],
  ]
  assert.deepEqual(
    splitLine(line('removed', 'one two', whole)).map(({ isChanged }) => isChanged),
    [true, false, true],
  )
})

test('the unchanged lines between hunks are counted', () => {
  assert.deepEqual(countFoldedLines(diff), [2, 15])
})

test('the text of a difference has a sign before every line', () => {
  assert.equal(toPlainText(diff), '  a\n- b\n+ c\n...\n+ d\n  e\n')
})
