import assert from 'node:assert/strict'
import { it } from 'node:test'
import { productToken, tokenOfLine, tokensToTry } from './product.ts'

it('a product token ends before its version', () => {
  assert.equal(productToken('Orbweaver/0.1 (+https://example.com)'), 'orbweaver')
  assert.equal(productToken('Foo_Bar-2 Baz'), 'foo_bar-2')
  assert.equal(productToken('ツ'), '')
})

it('a star followed by words is still a star', () => {
  assert.equal(tokenOfLine('*'), '*')
  assert.equal(tokenOfLine('* every one'), '*')
  assert.equal(tokenOfLine('*bot'), '')
  assert.equal(tokenOfLine(''), '')
})

it('a crawler answers to its name, then to the leading parts of it, then to the star', () => {
  assert.deepEqual(tokensToTry('Foo-Bar-News/2'), ['foo-bar-news', 'foo-bar', 'foo', '*'])
  assert.deepEqual(tokensToTry('Foo'), ['foo', '*'])
  assert.deepEqual(tokensToTry('-foo'), ['-foo', '*'])
  assert.deepEqual(tokensToTry(''), ['*'])
})
