import assert from 'node:assert/strict'
import { it } from 'node:test'
import { candidateTokens, parseUserAgentLine, productToken } from './product-token.ts'

it('a product token ends before its version', () => {
  assert.equal(productToken('Orbweaver/0.1 (+https://example.com)'), 'orbweaver')
  assert.equal(productToken('Foo_Bar-2 Baz'), 'foo_bar-2')
  assert.equal(productToken('ツ'), '')
})

it('a star followed by words is still a star', () => {
  assert.equal(parseUserAgentLine('*'), '*')
  assert.equal(parseUserAgentLine('* every one'), '*')
  assert.equal(parseUserAgentLine('*bot'), '')
  assert.equal(parseUserAgentLine(''), '')
})

it('a crawler matches its name, then the leading parts of it, then the star', () => {
  assert.deepEqual(candidateTokens('Foo-Bar-News/2'), ['foo-bar-news', 'foo-bar', 'foo', '*'])
  assert.deepEqual(candidateTokens('Foo'), ['foo', '*'])
  assert.deepEqual(candidateTokens('-foo'), ['-foo', '*'])
  assert.deepEqual(candidateTokens(''), ['*'])
})
