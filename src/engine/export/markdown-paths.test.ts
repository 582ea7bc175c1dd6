import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownPath, relativePath } from './markdown-paths.ts'

test('files mirror the site', () => {
  assert.equal(markdownPath('https://example.com/'), 'example.com/index.md')
  assert.equal(markdownPath('https://example.com/a/b.html'), 'example.com/a/b.html.md')
  assert.equal(markdownPath('http://localhost:8080/a/'), 'localhost_8080/a/index.md')
})

test('different URLs have different files', () => {
  const urls = [
    '/a',
    '/a/',
    '/a/index',
    '/a?x=1',
    '/a?x=2',
    '/a%20b',
    '/a_b',
    '/a_20b',
    '/a#/x',
    '/con',
    '/_con',
    `/${'x'.repeat(300)}`,
  ]
  const paths = urls.map((path) => markdownPath(`https://example.com${path}`))
  assert.equal(new Set(paths).size, urls.length, paths.join(' '))
  for (const path of paths) assert.match(path, /^example\.com\/[\w./~-]+\.md$/)
})

test('no path leaves the folder', () => {
  for (const url of [
    'https://e.com/%2e%2e/x',
    'https://e.com/..%2fx',
    'https://e.com/a/%5c..%5cx',
    'https://e.com//x',
  ]) {
    for (const part of markdownPath(url).split('/')) assert.ok(part !== '' && part !== '.' && part !== '..', url)
  }
})

test('links are relative to the file with the link', () => {
  assert.equal(relativePath('e.com/a/b.md', 'e.com/a/c.md'), 'c.md')
  assert.equal(relativePath('e.com/a/b.md', 'e.com/x y.md'), '../x%20y.md')
})
