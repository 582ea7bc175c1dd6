import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { folderOf, hashNamesBelow } from './nesting.ts'

const PAGE = 'http://a.test/topics/one/'
const NAMES = ['one/', 'two/']

describe('names below a page', () => {
  it('are the same whether links are relative, paths or URLs, in any order and number', () => {
    const expected = hashNamesBelow(PAGE, NAMES)
    assert.notEqual(expected, 0)
    for (const hrefs of [
      ['two/', 'one/', 'two/'],
      ['/topics/one/one/', '/topics/one/two/'],
      [`${PAGE}one/`, `${PAGE}two/?sid=5`, 'two/#top'],
    ]) {
      assert.equal(hashNamesBelow(PAGE, hrefs), expected, String(hrefs))
    }
  })

  it('are those of the page above when its links nest', () => {
    assert.equal(hashNamesBelow('http://a.test/topics/', NAMES), hashNamesBelow(PAGE, NAMES))
    assert.equal(
      hashNamesBelow('http://a.test/x', ['/x/one', '/x/two']),
      hashNamesBelow('http://a.test/x/one', ['/x/one/one', '/x/one/two']),
    )
  })

  it('leave out what leads elsewhere', () => {
    const others = ['/', '../', './', '#top', '?page=2', 'http://b.test/one/', 'mailto:a@b.test', '']
    assert.equal(hashNamesBelow(PAGE, [...NAMES, ...others]), hashNamesBelow(PAGE, NAMES))
    assert.equal(hashNamesBelow(PAGE, others), 0)
  })

  it('are none with a single name', () => {
    assert.equal(hashNamesBelow(PAGE, ['next/', 'next/']), 0)
  })
})

it('the folder of a page ends with a slash and has no query', () => {
  assert.equal(folderOf('http://a.test/b/c?d=/e/f'), 'http://a.test/b/')
  assert.equal(folderOf('http://a.test/b/'), 'http://a.test/b/')
})
