import assert from 'node:assert/strict'
import { test } from 'node:test'
import { locsOf, readBothWays } from './testing/read-both-ways.ts'

const FILES: readonly [fact: string, xml: string, locs: string[]][] = [
  ['no end of the root', '<urlset><url><loc>/a</loc></url>', ['/a']],
  ['no end of a url', '<urlset><url><loc>/a</loc><url><loc>/b</loc></url></urlset>', ['/a', '/b']],
  ['no end of a loc', '<urlset><url><loc>/a</url><url><loc>/b<lastmod>2024</lastmod></url></urlset>', ['/a', '/b']],
  ['no end of a loc and its url', '<urlset><url><loc>/a<url><loc>/b</urlset>', ['/a', '/b']],
  ['nothing between two locs', '<urlset><url><loc>/a</loc><loc>/b</loc></url></urlset>', ['/a', '/b']],
  [
    'no end of an image',
    '<urlset><url><loc>/a</loc><image:image></url><url><loc>/b</loc></url></urlset>',
    ['/a', '/b'],
  ],
  ['ends of nothing', '</x><urlset></url><url></image:image><loc>/a</loc></b></url></urlset>', ['/a']],
  ['ends in the wrong order', '<urlset><url><b><i></b></i><loc>/a</loc></url></urlset>', ['/a']],
  ['no root', '<url><loc>/a</loc></url><url><loc>/b</loc></url>', ['/a', '/b']],
  [
    'two files in one',
    '<urlset><url><loc>/a</loc></url></urlset><?xml version="1.0"?><urlset><url><loc>/b</loc></url>',
    ['/a', '/b'],
  ],
  ['cut after a loc', '<urlset><url><loc>/a</loc></url><url><loc>/b</loc><last', ['/a', '/b']],
  ['cut inside a loc', '<urlset><url><loc>/a</loc></url><url><loc>/b', ['/a']],
  ['cut inside the end of a loc', '<urlset><url><loc>/a</loc></url><url><loc>/b</lo', ['/a']],
  ['cut inside CDATA', '<urlset><url><loc>/a</loc></url><url><loc><![CDATA[/b</loc></url>', ['/a']],
  ['cut inside a comment', '<urlset><url><loc>/a</loc></url><!-- <url><loc>/b</loc></url>', ['/a']],
]

for (const [fact, xml, locs] of FILES) {
  test(`broken XML: ${fact}`, () => {
    assert.deepEqual(locsOf(xml), locs)
  })
}

test('a date truncated by the end of the file is dropped', () => {
  assert.equal(readBothWays('<urlset><url><loc>/a</loc><lastmod>2024').entries[0]?.lastmod, null)
})

test('a url element of another vocabulary does not end a page', () => {
  const { entries } = readBothWays(
    '<urlset><url><x:url>/x</x:url><loc>/a</loc><x:url/><priority>1</priority></url></urlset>',
  )
  assert.deepEqual(entries, [{ loc: '/a', lastmod: null, changefreq: null, priority: 1 }])
})

test('elements nested too deeply hide their locs, and the next page is found', () => {
  const deep = `${'<x>'.repeat(100)}<loc>/x</loc>${'</x>'.repeat(100)}`
  assert.deepEqual(locsOf(`<urlset><url>${deep}<loc>/a</loc></url></urlset>`), ['/a'])
  assert.deepEqual(locsOf(`<urlset><url>${'<x>'.repeat(100)}${'</x>'.repeat(50)}<loc>/x</loc></url></urlset>`), [])
  assert.deepEqual(locsOf(`<urlset><url>${'<x>'.repeat(100)}</url><url><loc>/b</loc></url></urlset>`), ['/b'])
})
