import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listBranches } from './branches.ts'
import { makeNode } from './testing/graph-response.ts'

const group = (label: string, urls: number) => makeNode(label, { label, url_id: null, state: null, urls })
const url = (label: string) => makeNode(label, { label, url_id: 1 })
const summarize = (branches: ReturnType<typeof listBranches>) =>
  branches.map(({ under, name, urls, url }) => [under, name, urls, url !== null])

test('folders below a group are summed up, largest first', () => {
  const nodes = [group('a.test/docs/x', 3), group('a.test/docs/y', 4), group('a.test/blog', 9), group('a.test', 1)]
  assert.deepEqual(summarize(listBranches('a.test', nodes)), [
    ['a.test/blog', 'blog', 9, false],
    ['a.test/docs', 'docs', 7, false],
    ['a.test', '/', 1, false],
  ])
})

test('the first level is hosts', () => {
  const nodes = [group('b.test', 2), group('a.test/docs', 1), group('a.test/blog', 1)]
  assert.deepEqual(summarize(listBranches(null, nodes)), [
    ['a.test', 'a.test', 2, false],
    ['b.test', 'b.test', 2, false],
  ])
})

test('URLs with nothing below them are leaves', () => {
  const nodes = [url('http://a.test/'), url('http://a.test/x'), url('http://a.test/y/1'), url('http://a.test/y/2')]
  assert.deepEqual(summarize(listBranches('a.test', nodes)), [
    ['a.test/y', 'y', 2, false],
    ['a.test/', '/', 1, true],
    ['a.test/x', 'x', 1, true],
  ])
})

test('URLs that end at a folder are listed side by side', () => {
  const nodes = [url('http://a.test/docs'), url('http://a.test/docs?x=1')]
  assert.deepEqual(
    listBranches('a.test/docs/', nodes).map(({ name, url }) => [name, url !== null]),
    [
      ['/', true],
      ['?x=1', true],
    ],
  )
})

test('a query string is one name, even with slashes', () => {
  const nodes = [url('http://a.test/s?q=a/b'), url('http://a.test/s?q=c'), url('http://a.test/s/')]
  assert.deepEqual(
    listBranches('a.test', nodes).map(({ name, urls }) => [name, urls]),
    [
      ['s', 1],
      ['s?q=a/b', 1],
      ['s?q=c', 1],
    ],
  )
})
