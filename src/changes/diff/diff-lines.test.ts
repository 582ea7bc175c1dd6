import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { countChangedWords, type DiffLine, diffLines } from './diff-lines.ts'

const SIGNS = { same: ' ', removed: '-', added: '+' } as const

function show(lines: DiffLine[]): string[] {
  return lines.map(({ kind, text, changed, isMoved }) => {
    let marked = text
    for (const [start, end] of changed.toReversed())
      marked = `${marked.slice(0, start)}[${marked.slice(start, end)}]${marked.slice(end)}`
    return `${SIGNS[kind]}${isMoved ? '~' : ''} ${marked}`
  })
}

const diffOf = (before: string, after: string) => show(diffLines(before.split('\n'), after.split('\n')))

const words = fc.array(fc.constantFrom('red', 'green', 'blue', '7', '8', '日', '本', ',', 'the'), {
  minLength: 1,
  maxLength: 8,
})
const text = fc.array(
  words.map((list) => list.join(' ')),
  { maxLength: 30 },
)

describe('the difference of two texts', () => {
  it('marks the words of an edited line, removed before added', () => {
    assert.deepEqual(diffOf('Title\nThe price is 20 EUR today.\nEnd', 'Title\nThe price is 30 USD today.\nEnd'), [
      '  Title',
      '- The price is [20 EUR] today.',
      '+ The price is [30 USD] today.',
      '  End',
    ])
  })

  it('pairs edited lines that are not at the same place', () => {
    const after = 'A whole new paragraph.\nOpen from nine to six on weekdays.'
    assert.deepEqual(diffOf('Open from nine to five on weekdays.', after), [
      '- Open from nine to [five] on weekdays.',
      '+ A whole new paragraph.',
      '+ Open from nine to [six] on weekdays.',
    ])
  })

  it('recognises lines that moved', () => {
    const [a, b, c] = ['First we mix all the flour.', 'Then the oven is heated up.', 'Finally we wait an hour.']
    assert.deepEqual(diffOf(`${a}\n${b}\n${c}`, `${b}\n${c}\n${a}`), [`-~ ${a}`, `  ${b}`, `  ${c}`, `+~ ${a}`])
  })

  it('applied to the old text gives the new one', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after)
        assert.deepEqual(
          lines.filter(({ kind }) => kind !== 'added').map((line) => line.text),
          before,
        )
        assert.deepEqual(
          lines.filter(({ kind }) => kind !== 'removed').map((line) => line.text),
          after,
        )
      }),
    )
  })

  it('is empty for equal texts, and as large in the other direction', () => {
    const sizes = (lines: DiffLine[]) => {
      const of = (kind: DiffLine['kind']) =>
        lines.filter((line) => line.kind === kind).reduce((sum, line) => sum + countChangedWords(line), 0)
      return [of('removed'), of('added')]
    }
    fc.assert(
      fc.property(text, text, (before, after) => {
        assert.ok(diffLines(before, before).every(({ kind }) => kind === 'same'))
        const count = (lines: DiffLine[], kind: DiffLine['kind']) => lines.filter((line) => line.kind === kind).length
        const [there, back] = [diffLines(before, after), diffLines(after, before)]
        assert.equal(count(there, 'same'), count(back, 'same'))
        assert.equal(count(there, 'removed'), count(back, 'added'))
        for (const words of sizes(there)) assert.ok(words >= 0)
      }),
    )
  })

  it('marks both lines of a pair, and ranges within the line', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after)
        for (const [i, { pair, kind, changed, text }] of lines.entries()) {
          if (pair !== null) assert.deepEqual([lines[pair]?.pair, lines[pair]?.kind !== kind], [i, true])
          let last = 0
          for (const [start, end] of changed) {
            assert.ok(start >= last && end > start && end <= text.length)
            last = end
          }
        }
      }),
    )
  })

  it('takes bounded work for long texts that have nothing in common', () => {
    const long = (name: string) => Array.from({ length: 10_000 }, (_, i) => `${name} ${i % 50} of ${i % 7}`)
    const before = process.cpuUsage()
    assert.equal(diffLines(long('x'), long('y')).length, 20_000)
    assert.ok(process.cpuUsage(before).user < 20_000_000)
  })
})
