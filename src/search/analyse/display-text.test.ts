import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Block } from './block-reader.ts'
import { separateText, toDisplayText } from './display-text.ts'

type Line = [kind: Block['kind'] | null, text: string, isRepeated?: true]

function separate(...list: Line[]) {
  const blocks: Block[] = []
  const lines = list.map(([kind, text], i) => {
    if (kind === null) return -1
    return (
      blocks.push({
        kind,
        isCode: kind === 'body' && text.startsWith('$ '),
        start: 0,
        end: 1,
        linkedWords: 0,
        hash: i,
      }) - 1
    )
  })
  const repeated = list.flatMap(([, , isRepeated], i) => (isRepeated ? [i] : []))
  return separateText(list.map(([, text]) => text).join('\n'), { lines, blocks }, repeated)
}

describe('the text of a page', () => {
  it('has main text and boilerplate apart, without lines that have no words', () => {
    assert.deepEqual(separate(['boilerplate', 'Home'], [null, '|'], ['heading', 'Apples'], ['body', 'They grow.']), {
      main: 'Apples\nThey grow.',
      prose: 'Apples\nThey grow.',
      boilerplate: 'Home',
    })
  })

  it('has prose without code', () => {
    assert.equal(
      separate(['heading', 'Apples'], ['body', '$ grow apples'], ['body', 'They grow.']).prose,
      'Apples\nThey grow.',
    )
  })

  it('has headings that the host repeats among the boilerplate', () => {
    assert.deepEqual(separate(['heading', 'Navigation', true], ['heading', 'Apples'], ['body', 'They grow.', true]), {
      main: 'Apples\nThey grow.',
      prose: 'Apples\nThey grow.',
      boilerplate: 'Navigation',
    })
  })

  it('has no links to headings', () => {
    const shown = (kind: Block['kind'], text: string) => separate([kind, text]).main
    for (const line of ['Recipes¶', 'Recipes ¶', 'Recipes #', 'Recipes#', 'Recipes§', 'Recipes Link to this heading']) {
      assert.equal(shown('heading', line), 'Recipes')
    }
    assert.equal(shown('body', 'class Counter()¶'), 'class Counter()')
    for (const line of ['Programs in C#', 'Press #', '¶ 1 is short', '§ 5']) assert.equal(shown('body', line), line)
    assert.equal(shown('heading', 'Programs in C#'), 'Programs in C#')
  })
})

describe('the text for snippets', () => {
  const display = (main: string, title: string) => toDisplayText({ main, boilerplate: '' }, title)

  it('does not repeat the title, nor the name of the site in it', () => {
    assert.equal(display('Apples \nThey grow on trees.\nApples', 'Apples'), 'They grow on trees.\nApples')
    assert.equal(display('The Garden\nApples\nThey grow.', 'Apples - The Garden'), 'They grow.')
    for (const text of ['Apples', 'Apples and more\nx', '', 'App\nx', 'ples\nx']) {
      assert.equal(display(text, 'Apples'), text)
    }
  })

  it('has a mark before the boilerplate, and is truncated', () => {
    assert.equal(toDisplayText({ main: 'Apples', boilerplate: 'Home' }, ''), 'Apples\fHome')
    assert.equal(display('x'.repeat(100_000), '').length, 50_000)
    assert.equal(separate(['body', 'page 1\fpage 2']).main, 'page 1 page 2')
  })
})
