import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { diffLines } from './diff-lines.ts'
import { toHunks } from './to-hunks.ts'

const show = (before: string, after: string) =>
  toHunks(diffLines([...before], [...after])).map(
    ({ oldStart, newStart, lines }) =>
      `${oldStart},${newStart} ${lines.map(({ kind, text }) => `${kind === 'same' ? '' : kind === 'added' ? '+' : '-'}${text}`).join('')}`,
  )

it('a hunk has two lines around its changes, and near changes share one', () => {
  assert.deepEqual(show('abcdefghijklmno', 'abcdefghXjklmno'), ['7,7 gh-i+Xjk'])
  assert.deepEqual(show('abcdefgh', 'aXcdefYh'), ['1,1 a-b+Xcdef-g+Yh'])
  assert.deepEqual(show('abcdefghijklmn', 'abXdefghijYlmn'), ['1,1 ab-c+Xde', '9,9 ij-k+Ylm'])
  assert.deepEqual(show('abc', 'abc'), [])
})

it('hunks have every change once, in order', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 })
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after)
      const changed = (list: typeof lines) => list.filter(({ kind }) => kind !== 'same')
      assert.deepEqual(changed(toHunks(lines).flatMap((hunk) => hunk.lines)), changed(lines))
    }),
  )
})
