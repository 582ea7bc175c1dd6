import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { childPrefixOf, isNested } from './nesting.ts'

const check = (url: string, hrefs: string[], base = url) =>
  isNested(`http://a.test${url}`, `http://a.test${base}`, hrefs)

describe('a page below copies of itself', () => {
  it('has the last two folders of its path among the names below it, in any form of link', () => {
    assert.equal(check('/topics/one/two/', ['one/', 'two/', 'three/']), true)
    assert.equal(check('/topics/one/two/', ['/topics/one/two/two/', '/topics/one/two/one/']), true)
    assert.equal(check('/one/two', ['http://a.test/one/two/one?x', '/one/two/two#top']), true)
    assert.equal(check('/one/two/', ['../two/one/', 'two/one/'], '/one/two/one/'), false)
  })

  it('is not a page with other names below it', () => {
    assert.equal(check('/items/1/', ['specs', 'reviews', '/items/2/']), false)
    assert.equal(check('/docs/en/', ['en/', 'fr/']), false)
    assert.equal(check('/docs/en/', ['/docs', '/docs/en/en/', '../']), false)
    assert.equal(check('/a/a/', ['a/']), false)
    assert.equal(check('/', ['a/', 'b/']), false)
  })

  it('is not a page whose links stay in its folder', () => {
    assert.equal(check('/docs/guide/index.html', ['docs', 'guide', 'index.html']), false)
    assert.equal(check('/one/two/', ['one/', 'two/'], '/'), false)
  })
})

it('URLs below a page start with its path and a slash', () => {
  assert.equal(childPrefixOf('http://a.test/b/c?d=/e/f'), 'http://a.test/b/c/')
  assert.equal(childPrefixOf('http://a.test/b/'), 'http://a.test/b/')
})
