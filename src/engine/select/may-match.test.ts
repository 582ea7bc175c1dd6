import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseSelector } from '../../config/values/parse-selector.ts'
import { flatPage } from '../parse/testing/html-grammar.ts'
import { matchSelector } from './match-selector.ts'
import { compileMayMatch } from './may-match.ts'
import { readTree } from './page-tree.ts'

function mayMatch(selector: string, html: string): boolean {
  const parsed = parseSelector(selector)
  assert.ok('selector' in parsed, JSON.stringify(parsed))
  return compileMayMatch(parsed.selector)(html)
}

function cssText(text: string): string {
  return text.replace(/[^a-z0-9]/giu, (sign) => `\\${sign.codePointAt(0)?.toString(16)} `)
}

test('a page without a name that the selector requires is told apart', () => {
  const page = '<main><p class="cost">1</p><a HREF=x>y</a></main>'
  for (const selector of [
    '.price',
    '#cost',
    'main > .price',
    'article p',
    'p:is(.price, #x)',
    'div:has(.cost)',
    '[title]',
  ])
    assert.equal(mayMatch(selector, page), false, selector)
  for (const selector of ['.cost', 'MAIN p', '.price, .cost', 'p:not(.price)', 'a[href]', 'body *', '[class^="COS" i]'])
    assert.equal(mayMatch(selector, page), true, selector)
})

test('elements that a parser adds, and names in other case or written as numbers, are not missed', () => {
  const cases: [selector: string, html: string][] = [
    ['tbody tr > td', '<table><td>1</table>'],
    ['html > head', 'text'],
    ['p', 'text</p>'],
    ['img', '<image src=x>'],
    ['.price', '<b CLASS="&#112;rice">1</b>'],
    ['.price', '<b class="&#X70;rice">1</b>'],
    ['[title="a_b1"]', '<b title="a&lowbar;b1">1</b>'],
    ['[title=fjord]', '<b title="&fjlig;ord">1</b>'],
    ['foreignobject', '<svg><foreignObject></svg>'],
  ]
  for (const [selector, html] of cases) {
    const tree = readTree(html)
    const parsed = parseSelector(selector)
    assert.ok(tree !== null && 'selector' in parsed)
    assert.ok(matchSelector(tree, parsed.selector).length > 0, selector)
    assert.ok(mayMatch(selector, html), selector)
  }
})

test('every element of a page may match a selector made of its own name and attributes', () => {
  fc.assert(
    fc.property(flatPage, (html) => {
      for (const { name, attributes } of readTree(html)?.elements ?? []) {
        const conditions = [...attributes].flatMap(([attribute, value]) => {
          return /^[\w-]+$/.test(attribute) ? [`[${attribute}="${cssText(value)}"]`] : []
        })
        const selector = `${/^[a-z]\w*$/.test(name) ? name : '*'}${conditions.join('')}`
        const parsed = parseSelector(selector)
        if ('selector' in parsed) assert.ok(compileMayMatch(parsed.selector)(html), selector)
      }
    }),
    { numRuns: 300 },
  )
})

test('hostile pages take linear time', () => {
  const parts = ['class="', "class='", 'class=', 'class="x', 'class= ', 'class', '&#', 'price', `class="'class='"`]
  const pages = parts.flatMap((part) => [part.repeat(200_000), `${part.repeat(200_000)}price`])
  for (const html of [...pages, `class${' '.repeat(1_000_000)}price`]) mayMatch('.price', html)
})
