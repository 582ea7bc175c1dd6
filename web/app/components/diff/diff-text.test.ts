import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DiffLine } from '../../text/changes.ts'
import { countFoldedLines, toPlainText } from './diff-text.ts'

const line = (kind: DiffLine['kind'], text: string): DiffLine => {
  return { kind, text, changed: [], moved: false, ignored: null }
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

test('the unchanged lines between hunks are counted', () => {
  assert.deepEqual(countFoldedLines(diff), [2, 15])
})

test('the text of a difference has a sign before every line', () => {
  assert.equal(toPlainText(diff), '  a\n- b\n+ c\n...\n+ d\n  e\n')
})
