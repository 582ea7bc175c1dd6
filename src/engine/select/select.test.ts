import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type DefaultTreeAdapterMap, parse } from 'parse5'
import { MAX_SELECTOR_LENGTH, parseSelector, type Selector } from '../../config/values/parse-selector.ts'
import { flatPage } from '../parse/testing/html-grammar.ts'
import { matchSelector } from './match-selector.ts'
import { type PageTree, readTree } from './page-tree.ts'
import { removeSelected, selectValues } from './select.ts'

const PAGE = `<!doctype html><title>Shop</title><meta itemprop=price content=" 12.50 ">
<div id=main class="product big"><h1>Lamp</h1><p class=price>19,90 <b>EUR</b></p><p>Bright</p>
<ul><li>one<li class=x>two<li>three<li lang=en-GB>four</ul>
<table><tr><td>1<td>2<tr><td>3<td>4</table><span></span><input value=7></div>
<script>var x = '<p class=price>'</script><div class=ad>Buy <i>now</i></div>`

function treeOf(html: string): PageTree {
  const tree = readTree(html)
  assert.ok(tree !== null)
  return tree
}

function selectorOf(text: string): Selector {
  const parsed = parseSelector(text)
  assert.ok('selector' in parsed, JSON.stringify(parsed))
  return parsed.selector
}

function values(selector: string, html = PAGE): string[] {
  return selectValues(treeOf(html), selectorOf(selector), 100)
}

function problemOf(text: string): string {
  const parsed = parseSelector(text)
  return 'problem' in parsed ? parsed.problem : ''
}

test('selectors find elements by tag, id, class and attribute', () => {
  assert.deepEqual(values('h1'), ['Lamp'])
  assert.deepEqual(values('H1'), ['Lamp'])
  assert.deepEqual(values('#main h1, #nothing'), ['Lamp'])
  assert.deepEqual(values('p.price'), ['19,90 EUR'])
  assert.deepEqual(values('.product.big > p'), ['19,90 EUR', 'Bright'])
  assert.deepEqual(values('[lang|=en]'), ['four'])
  assert.deepEqual(values('[class~=big] li[class]'), ['two'])
  assert.deepEqual(values('li[lang^="EN" i]'), ['four'])
  assert.deepEqual(values('li:not([class]):not([lang])'), ['one', 'three'])
})

test('selectors find elements by place', () => {
  assert.deepEqual(values('li:nth-child(2n+1)'), ['one', 'three'])
  assert.deepEqual(values('li:nth-child(even)'), ['two', 'four'])
  assert.deepEqual(values('li:nth-last-child(-n+2)'), ['three', 'four'])
  assert.deepEqual(values('li:first-child, li:last-child'), ['one', 'four'])
  assert.deepEqual(values('.x + li'), ['three'])
  assert.deepEqual(values('.x ~ li'), ['three', 'four'])
  assert.deepEqual(values('#main > p:nth-of-type(2)'), ['Bright'])
  assert.deepEqual(values('b:only-child'), ['EUR'])
  assert.deepEqual(values('span:empty'), [''])
  assert.deepEqual(values('div:has(> table) > p:is(.price, .other)'), ['19,90 EUR'])
  assert.deepEqual(values('div:has(td) h1'), ['Lamp'])
  assert.deepEqual(values('div:has(> td) h1'), [])
  assert.equal(values(':root').length, 1)
})

test('the tree is that of a browser', () => {
  assert.deepEqual(values('table > tbody > tr:nth-child(2) > td'), ['3', '4'])
  assert.deepEqual(values('tbody'), ['1\n2\n3\n4'])
  assert.deepEqual(values('body > .ad', '<div class=ad>x</div>'), ['x'])
  assert.deepEqual(values('body', 'only text'), ['only text'])
})

test('the value of a meta element or input is that of its attribute', () => {
  assert.deepEqual(values('meta[itemprop=price]'), ['12.50'])
  assert.deepEqual(values('input'), ['7'])
})

test('selected parts can be removed from a page', () => {
  const without = removeSelected(PAGE, [selectorOf('.ad'), selectorOf('li'), selectorOf('ul')])
  assert.ok(without !== null)
  assert.ok(without.includes('Lamp') && without.includes('var x'))
  assert.ok(!without.includes('Buy') && !without.includes('three') && !without.includes('<ul>'))
  assert.equal(removeSelected(PAGE, [selectorOf('.nothing')]), PAGE)
  assert.equal(removeSelected('<p>a<p class=x>b<p>c', [selectorOf('.x')]), '<p>a<p>c')
})

test('a name begins with a letter, or its first character is escaped', () => {
  for (const text of ['p..price', 'a.b..c', '.a.#b', '[=x]', 'p:not(..a)', '..a'])
    assert.match(problemOf(text), /is not a CSS selector/, text)
  assert.deepEqual(values(String.raw`p.\.price`, '<p class=".price">1</p>'), ['1'])
  assert.deepEqual(values('a[href$="..x"]', '<a href="1..x">1</a>'), ['1'])
})

test('what a selector cannot do is said in a sentence', () => {
  assert.match(problemOf('p['), /is not a CSS selector/)
  assert.match(problemOf(''), /selector/)
  assert.match(problemOf('a:hover'), /cannot use :hover/)
  assert.match(problemOf('p::before'), /cannot use ::before/)
  assert.match(problemOf('p:has(a b)'), /more than one part in :has/)
  assert.match(problemOf('li:nth-child(x)'), /not a position/)
  assert.match(problemOf('a >'), /not a CSS selector|too early/)
  assert.match(problemOf('a '.repeat(60)), /more than 50 parts/)
  assert.match(problemOf('x'.repeat(MAX_SELECTOR_LENGTH + 1)), /longer than/)
  assert.match(problemOf(`${':not('.repeat(100)}a${')'.repeat(100)}`), /more than 50 parts/)
})

test('pages that would take quadratic time are given up', () => {
  const hostile = [
    '<div>'.repeat(100_000),
    `<a ${Array.from({ length: 100_000 }, (_, i) => `a${i}`).join(' ')}>`,
    `</a ${Array.from({ length: 100_000 }, (_, i) => `a${i}`).join(' ')}>`,
    `<table>${'x<b></b>'.repeat(100_000)}`,
    Array.from({ length: 100_000 }, (_, i) => `<p><font color=${i}>`).join(''),
    '<p>'.repeat(300_000),
    ' '.repeat(5 << 20),
  ]
  for (const html of hostile) assert.equal(readTree(html), null, html.slice(0, 40))
})

test('a chain of siblings takes linear time', () => {
  const tree = treeOf('<i></i>'.repeat(50_000))
  assert.equal(matchSelector(tree, selectorOf('i ~ i ~ i ~ i ~ i ~ i ~ i ~ b')).length, 0)
  assert.equal(matchSelector(tree, selectorOf('i ~ i ~ i')).length, 49_998)
})

test('a page read in chunks has the tree of the whole page', () => {
  fc.assert(
    fc.property(flatPage, fc.nat(5000), (page, padding) => {
      // Moves the page over the end of a chunk.
      const html = `<!--${'x'.repeat(padding)}-->${page}`
      const names: string[] = []
      const visit = (node: DefaultTreeAdapterMap['node']): void => {
        if ('tagName' in node) names.push(node.tagName.toLowerCase())
        if ('childNodes' in node) node.childNodes.forEach(visit)
      }
      visit(parse(html, { scriptingEnabled: false }))
      const tree = treeOf(html)
      assert.deepEqual(
        tree.elements.map(({ name }) => name),
        names,
      )
      for (const { start, end } of tree.elements) assert.ok(start <= end && end <= html.length)
    }),
    { numRuns: 300 },
  )
})

test('any text is a selector or a problem, and any selector can be matched', () => {
  const tree = treeOf(PAGE)
  const part = fc.constantFrom(
    'a',
    'li',
    '*',
    '#main',
    '.x',
    '[lang]',
    ':not(',
    ':is(',
    ':has(',
    ')',
    '>',
    '+',
    '~',
    ' ',
  )
  const more = fc.constantFrom(
    ',',
    ':nth-child(2n+1)',
    ':nth-child(',
    ':empty',
    '::x',
    '[a=',
    '"',
    '\\',
    '|',
    '||',
    '^',
  )
  const text = fc.oneof(
    fc.string(),
    fc.array(fc.oneof(part, more), { maxLength: 12 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(text, (selector) => {
      const parsed = parseSelector(selector)
      if ('selector' in parsed) matchSelector(tree, parsed.selector)
      else assert.match(parsed.problem, /\.$/)
    }),
    { numRuns: 2000 },
  )
})
