import assert from 'node:assert/strict'
import { it } from 'node:test'
import { compileIgnoreRules } from './ignore-rules.ts'
import { MAX_LINES, mainTextOfHtml, mainTextOfPlain } from './main-text.ts'

const PAGE = `<html><body><nav><a href="/">Home</a> <a href="/about">About</a></nav>
  <main><h1>Bread</h1><p>Mix the flour, the water and the salt, then wait for an hour.</p>
  <div class="ad">Buy now</div><p>Bake it.</p></main>
  <ul><li><a href="/1">One more recipe</a></li><li><a href="/2">Another recipe</a></li></ul>
  <footer>Copyright, and a clock: 12:30:05</footer></body></html>`

it('the main text has no navigation, lists of links and footers', () => {
  assert.deepEqual(mainTextOfHtml(PAGE).lines, [
    'Bread',
    'Mix the flour, the water and the salt, then wait for an hour.',
    'Buy now',
    'Bake it.',
  ])
})

it('ignored elements are left out', () => {
  const { removeElements } = compileIgnoreRules({ ignoreChanges: [], ignoreSelectors: ['main > .ad', 'h1'] })
  assert.deepEqual(mainTextOfHtml(removeElements(PAGE)).lines.slice(1), ['Bake it.'])
})

it('long texts are cut', () => {
  const { lines, isCut } = mainTextOfPlain('x\n'.repeat(MAX_LINES + 1))
  assert.deepEqual([lines.length, isCut], [MAX_LINES, true])
  assert.equal(mainTextOfPlain('y'.repeat(3 << 20)).isCut, true)
})
