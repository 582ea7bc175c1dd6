import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { dropTitleLine, findHighlights, makeSnippet } from './snippet.ts'

const wanted = (terms: string[], prefixes: string[] = []) => ({ terms: new Set(terms), prefixes })
const FILLER = 'some words that nobody asked for '.repeat(40)

function shown(text: string, highlights: [number, number][]): string[] {
  return highlights.map(([start, end]) => text.slice(start, end))
}

describe('a snippet', () => {
  it('is the part of the text with the most query words, highlighted', () => {
    const text = `${FILLER}one apple.\n${FILLER}here Apples and a pear stand together. ${FILLER}`
    const snippet = makeSnippet(text, wanted(['appl', 'pear']), 'en')
    assert.deepEqual(shown(snippet.text, snippet.highlights), ['Apples', 'pear'])
    assert.ok(snippet.text.startsWith('…') && snippet.text.endsWith('…') && snippet.text.length <= 242)
  })

  it('is the start of the text if nothing matches', () => {
    assert.deepEqual(makeSnippet('A short text.', wanted(['x']), null), { text: 'A short text.', highlights: [] })
    assert.deepEqual(makeSnippet('', wanted(['x']), null), { text: '', highlights: [] })
  })

  it('does not repeat the title', () => {
    assert.equal(dropTitleLine('Apples \nThey grow on trees.\nApples', 'Apples'), 'They grow on trees.\nApples')
    for (const text of ['Apples', 'Apples and more\nx', '', '\nx']) assert.equal(dropTitleLine(text, 'Apples'), text)
  })

  it('turns line breaks into spaces and keeps markup as text', () => {
    const { text, highlights } = makeSnippet('<b>One</b>\napple & "x"', wanted(['appl']), 'en')
    assert.deepEqual([text, shown(text, highlights)], ['<b>One</b> apple & "x"', ['apple']])
  })

  it('highlights prefixes, words with accents and apostrophes, and ideographs', () => {
    const mark = (text: string, terms: string[], prefixes: string[] = []) =>
      shown(text, findHighlights(text, wanted(terms, prefixes), 'en'))
    assert.deepEqual(mark('Gardens and gardeners', [], ['garden']), ['Gardens', 'gardeners'])
    assert.deepEqual(mark("a café, John's café", ['cafe', 'john']), ['café', "John's", 'café'])
    assert.deepEqual(mark('我喜欢苹果树。苹', ['苹果', '果树']), ['苹果树'])
    assert.deepEqual(mark('喝水', [], ['水']), ['水'])
  })

  it('has ordered, disjoint highlights within the text, for any text', () => {
    const text = fc.array(
      fc.constantFrom('apple', 'Äpfel', ' ', '\n', '苹果', '😀', '😀'.repeat(150), 'x'.repeat(90), '.', "'"),
      {
        maxLength: 80,
      },
    )
    fc.assert(
      fc.property(text, (list) => {
        const { text: out, highlights } = makeSnippet(list.join(''), wanted(['appl', '苹果'], ['äp']), 'en')
        assert.ok(out.length <= 242 && out.isWellFormed())
        let last = 0
        for (const [start, end] of highlights) {
          assert.ok(start >= last && end > start && end <= out.length)
          last = end
        }
      }),
    )
  })
})
