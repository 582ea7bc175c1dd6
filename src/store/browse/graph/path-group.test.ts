import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parsePathGroup, pathGroupLabel, pathSegments } from './path-group.ts'

describe('groups of URLs by path', () => {
  it('the query and empty segments do not count', () => {
    assert.deepEqual(pathSegments('http://a.test/x/y?q=/z', 9), ['x', 'y'])
    assert.deepEqual(pathSegments('http://a.test//x//', 9), ['x'])
    assert.deepEqual(pathSegments('http://a.test/', 9), [])
    assert.deepEqual(pathSegments('http://a.test/?a=b/c', 9), [])
    assert.deepEqual(pathSegments('http://a.test/x/y/z', 2), ['x', 'y'])
  })

  it('a label distinguishes paths that continue from paths that end', () => {
    const label = (path: string, depth: number) => pathGroupLabel('a.test', `http://a.test${path}`, depth)
    assert.deepEqual([label('/x/y', 0), label('/x/y', 1), label('/x/y', 2)], ['a.test', 'a.test/x', 'a.test/x/y'])
    assert.deepEqual([label('/x', 1), label('/x', 2), label('/', 1)], ['a.test/x', 'a.test/x/', 'a.test/'])
  })

  it('a URL is in the group of its label and in no sibling', () => {
    const urls = ['/', '/x', '/x/', '/x/y', '/x/y?z', '/x/y/z', '/xy', '/?x'].map((path) => `http://a.test${path}`)
    for (const depth of [0, 1, 2, 3]) {
      for (const label of new Set(urls.map((url) => pathGroupLabel('a.test', url, depth)))) {
        assert.deepEqual(
          urls.filter((url) => parsePathGroup(label).has(url)),
          urls.filter((url) => pathGroupLabel('a.test', url, depth) === label),
          label,
        )
      }
    }
  })
})
