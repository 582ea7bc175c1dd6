import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Entity, QueryNode } from '../../ports/search.ts'
import { SnippetMaker } from './make-snippet.ts'

function all(...words: (string | string[])[]): QueryNode {
  const parts = words.map((terms): QueryNode => ({ kind: 'term', terms: [terms].flat(), isPrefix: false, field: null }))
  return { kind: 'and', parts }
}

function prefix(term: string): QueryNode {
  return { kind: 'term', terms: [term], isPrefix: true, field: null }
}

const WIFI: QueryNode = {
  kind: 'or',
  parts: [
    { kind: 'phrase', terms: ['wi', 'fi'], field: null },
    { kind: 'term', terms: ['wifi'], isPrefix: false, field: null },
  ],
}
const FILLER = 'some words that nobody asked for '.repeat(40)
const SENTENCE = 'A sentence that nobody asked for stands here. '

function makerOf(text: QueryNode | null, words: string[] = [], names: Entity[] = []): SnippetMaker {
  return new SnippetMaker({ text, anyWord: null, words, filter: { names } })
}

function shown(text: string, highlights: [number, number][]): string[] {
  return highlights.map(([start, end]) => text.slice(start, end))
}

function snippetOf(text: string, query: QueryNode, lang: string | null = 'en') {
  return makerOf(query).makeSnippet(text, lang)
}

function highlighted(text: string, query: QueryNode, lang: string | null = 'en', words: string[] = []): string[] {
  return shown(text, makerOf(query, words).findHighlights(text, lang))
}

describe('a snippet', () => {
  it('is the passage with the most different words of the query, highlighted', () => {
    const text = `${FILLER}one apple, apple, apple.\n${FILLER}here Apples and a pear stand together. ${FILLER}`
    const snippet = snippetOf(text, all('appl', 'pear'))
    assert.deepEqual(shown(snippet.text, snippet.highlights), ['Apples', 'pear'])
    assert.ok(snippet.text.startsWith('…') && snippet.text.endsWith('…') && snippet.text.length <= 242)
  })

  it('counts variants of a word once', () => {
    const text = `apple pomme apple pomme\n${FILLER}an apple and a pear`
    assert.match(snippetOf(text, all(['appl', 'pomm'], 'pear')).text, /an apple and a pear/)
  })

  it('shows all words if one passage has them, however far into the text', () => {
    const text = `${`One apple here. ${SENTENCE}`.repeat(500)}Apples ${'x '.repeat(90)}pear. ${SENTENCE.repeat(20)}`
    const { text: out, highlights } = snippetOf(text, all('appl', 'pear'))
    assert.ok(shown(out, highlights).includes('pear') && shown(out, highlights).includes('Apples'))
  })

  it('starts and ends with sentences, without an ellipsis', () => {
    const text = `${SENTENCE.repeat(9)}Here is the apple, e.g. a red one. ${SENTENCE.repeat(9)}`
    const { text: out } = snippetOf(text, all('appl'))
    assert.match(out, /^Here is the apple, e\.g\. a red one\. A sentence .* stands here\.$/)
  })

  it('is a sentence rather than a heading or code', () => {
    const text = `Apples and pears\nApple = pear(apple, pear)\n${SENTENCE}\nApples and pears are fruits that grow on trees. ${SENTENCE.repeat(3)}`
    assert.match(snippetOf(text, all('appl', 'pear')).text, /^Apples and pears are fruits/)
  })

  it('separates a heading from the text after it', () => {
    const { text, highlights } = snippetOf('About apples\nThey grow on trees.\nSee below:\nMore', all('appl'))
    assert.equal(text, 'About apples · They grow on trees. See below: More')
    assert.deepEqual(shown(text, highlights), ['apples'])
  })

  it('is taken from boilerplate only if the main text does not match', () => {
    const text = `Pears are fruits.\fapple pear plum`
    assert.equal(snippetOf(text, all('appl', 'pear')).text, 'Pears are fruits.')
    assert.equal(snippetOf(text, all('plum')).text, 'apple pear plum')
  })

  it('is the first line of prose if nothing matches', () => {
    const prose = `This text is long enough to tell what the page is about. ${SENTENCE.repeat(2)}`.trimEnd()
    assert.deepEqual(snippetOf(`Home\nContents\n${prose}\nMore.\fmenu`, all('x'), null).text, `${prose} More.`)
    assert.deepEqual(snippetOf('A short text.', all('x'), null), { text: 'A short text.', highlights: [] })
    assert.deepEqual(snippetOf('', all('x'), null), { text: '', highlights: [] })
    assert.equal(makerOf(null).makeSnippet('A text.\nMore.', 'en').text, 'A text. More.')
  })

  it('shows the names that the query asks for', () => {
    const text = `${SENTENCE.repeat(20)}The engine of Ada Lovelace was never built. ${SENTENCE.repeat(20)}`
    const maker = makerOf(all('engin'), ['engine'], [{ kind: 'person', text: 'Ada Lovelace' }])
    const snippet = maker.makeSnippet(text, 'en')
    assert.deepEqual(shown(snippet.text, snippet.highlights), ['engine', 'Ada', 'Lovelace'])
  })

  it('prefers words of the query to other words of its fallback', () => {
    const text = `The pears are ripe now, says everybody in the garden.\n${FILLER}\nThe apple tree is old, says the gardener.`
    const query = { text: all('appl', 'tree'), anyWord: all('appl', 'tree', 'pear'), words: [], filter: { names: [] } }
    assert.match(new SnippetMaker(query).makeSnippet(text, 'en').text, /apple tree/)
    assert.match(new SnippetMaker({ ...query, text: all('plum') }).makeSnippet(text, 'en').text, /^The pears/)
  })

  it('is filled up from before if it is at the end of the text', () => {
    const { text } = snippetOf(`${SENTENCE.repeat(9)}The last apple.`, all('appl'))
    assert.ok(text.length > 150 && text.endsWith('stands here. The last apple.'), text)
  })

  it('keeps markup as text', () => {
    const { text, highlights } = snippetOf('<b>One</b>.\napple & "x"', all('appl'))
    assert.deepEqual([text, shown(text, highlights)], ['<b>One</b>. apple & "x"', ['apple']])
  })

  it('has ordered, disjoint highlights within the text, for any text', () => {
    const pieces = [
      'apple',
      'Äpfel',
      ' ',
      '\n',
      '\f',
      '. ',
      '苹果',
      '😀',
      '😀'.repeat(150),
      'x'.repeat(90),
      '.',
      "'",
      'ไทย',
    ]
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 80 })
    const query: QueryNode = { kind: 'and', parts: [all('appl', '苹果', 'ไทย'), prefix('äp')] }
    fc.assert(
      fc.property(text, (list) => {
        const { text: out, highlights } = snippetOf(list.join(''), query)
        assert.ok(out.length <= 242 + 2 * 80 && out.isWellFormed())
        let last = 0
        for (const [start, end] of highlights) {
          assert.ok(start >= last && end > start && end <= out.length)
          last = end
        }
      }),
    )
  })
})

describe('highlights', () => {
  it('are of prefixes, words with accents and apostrophes, and ideographs', () => {
    assert.deepEqual(highlighted('Gardens and gardeners', prefix('garden')), ['Gardens', 'gardeners'])
    assert.deepEqual(highlighted("a café, John's café", all('cafe', 'john')), ['café', "John's", 'café'])
    assert.deepEqual(highlighted('我喜欢苹果树。苹', all('苹果', '果树')), ['苹果树'])
    assert.deepEqual(highlighted('喝水', prefix('水')), ['水'])
    assert.deepEqual(highlighted('ภาษาไทย', all('ไทย'), 'th'), ['ไทย'])
  })

  it('are of each of two words that an apostrophe separates', () => {
    assert.deepEqual(highlighted("l'arbre d’été aujourd'hui", all('arbre', 'ete'), null), ['arbre', 'été'])
  })

  it('are of compatibility forms, and of words next to an emoji', () => {
    assert.deepEqual(highlighted('the ﬁrst ＦＩＲＳＴ 😀first', all('first'), null), ['ﬁrst', 'ＦＩＲＳＴ', 'first'])
    assert.deepEqual(highlighted('Straße, Ærø', all('strasse', 'aero'), null), ['Straße', 'Ærø'])
  })

  it('are of words whose end differs from the stem', () => {
    assert.deepEqual(highlighted('cities city happily happy', all('citi', 'happi')), ['cities', 'city', 'happy'])
    assert.deepEqual(highlighted('go goes C c cs', all('goe', 'c'), 'en'), ['goes', 'C', 'c'])
  })

  it('are not of a word that is the stem of the query in another language only', () => {
    assert.deepEqual(highlighted('par exemple, parse', all(['pars', 'par', 'parsi']), 'en', ['parse']), ['parse'])
    assert.deepEqual(highlighted('wifi, wi-fi', WIFI, 'en', ['wi', 'fi']), ['wifi', 'wi', 'fi'])
  })

  it('are of names with signs', () => {
    assert.deepEqual(highlighted('C++, C and C#', all('c\uff0b\uff0b')), ['C++'])
    assert.deepEqual(highlighted('C++, C and C#', all('c\uff03')), ['C#'])
    assert.deepEqual(highlighted('On .NET, the net and ASP.NET', all('\uff0enet')), ['.NET'])
    assert.deepEqual(highlighted('C++, C', all('c')), ['C', 'C'])
  })

  it('are of words with a prefix, in languages that have them', () => {
    assert.deepEqual(highlighted('membaca', all('baca'), 'id'), ['membaca'])
  })
})
