import assert from 'node:assert/strict'
import { it } from 'node:test'
import { compareVersions, parseDocumentVersion, withoutVersion } from './document-version.ts'

const documentOf = (path: string) =>
  parseDocumentVersion(`http://a.test${path}`).documentUrl.replace('http://a.test', '')

it('a version is a directory of the path', () => {
  const paths = [
    ['/3.1/library/os.html', '/library/os.html'],
    ['/docs/v2.4/x', '/docs/x'],
    ['/docs/version-2.x/x', '/docs/x'],
    ['/en/stable/x?q=1', '/en/x?q=1'],
    ['/docs/15/sql.html', '/docs/sql.html'],
    ['/docs/1.0-beta2/', '/docs/'],
    // The clearest one wins.
    ['/4/docs/1.2/part/3/x', '/4/docs/part/3/x'],
    ['/handbook/2024/x', '/handbook/x'],
  ]
  assert.deepEqual(
    paths.map(([path = '']) => [path, documentOf(path)]),
    paths,
  )
})

it('other numbers and words are part of the document', () => {
  for (const path of [
    '/',
    '/releases/3.2',
    '/page/2',
    '/item/12345/x',
    '/section-2/x',
    '/latest-news/x',
    '/mp3/x',
    '/?v=1.2/x',
  ])
    assert.equal(documentOf(path), path)
})

it('the current version comes first, then the highest number, then what is not released', () => {
  const versionOf = (part: string) => parseDocumentVersion(`http://a.test/${part}/x`)
  const newestFirst = ['stable', '10.0', '9.x', 'v9.10', '9.9', '9.2.1', '9.2', '9.2-rc1', '9.1', '8.x', '2', 'next']
  const sorted = newestFirst.toSorted().sort((a, b) => compareVersions(versionOf(b), versionOf(a)))
  assert.deepEqual(sorted, newestFirst)
  assert.equal(compareVersions(versionOf('latest'), versionOf('current')), 0)
  assert.equal(compareVersions(versionOf('1'), versionOf('v1.0')), 0)
  // A URL without a version shows the current one.
  assert.equal(compareVersions(parseDocumentVersion('http://a.test/x'), versionOf('stable')), 0)
})

it('titles are compared without versions', () => {
  assert.equal(withoutVersion('os — Python 3.1.4 documentation'), withoutVersion('os — Python 3.12 documentation'))
  assert.notEqual(withoutVersion('os — Python 3'), withoutVersion('sys — Python 3'))
})
