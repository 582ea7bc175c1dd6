import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { shapesOf } from './shape.ts'

const SHAPES: readonly [path: string, fine: string, coarse: string][] = [
  ['/', '/', '/'],
  ['/about', '/W', '/W'],
  ['/blog/', '/W/', '/W/'],
  ['/index.html', '/W.html', '/W.html'],
  ['/calendar/2026/03', '/calendar/N/N', '/calendar/**'],
  ['/calendar/2026-03-17/', '/calendar/N/', '/calendar/**'],
  ['/calendar/2026/03/17', '/calendar/N/**/N', '/calendar/**'],
  ['/blog/how-to-grow-old-roses', '/blog/S', '/blog/**'],
  ['/2026/03/how-to-grow-old-roses/', '/N/N/S/', '/N/**'],
  ['/wiki/Spider', '/wiki/W', '/wiki/**'],
  ['/wiki/Help:17', '/wiki/WN', '/wiki/**'],
  ['/photos/img17.jpg', '/photos/WN.jpg', '/photos/**'],
  ['/v2/api/list.html', '/vN/api/W.html', '/vN/**'],
  ['/a/b/a/b/a/b', '/a/b/**/W', '/a/**'],
  ['/files/3f2a9c01', '/files/H', '/files/**'],
  ['/files/550e8400-e29b-41d4-a716-446655440000', '/files/H', '/files/**'],
  ['/files/kX82hZq', '/files/H', '/files/**'],
  ['/a//b', '/a//W', '/a/**'],
  ['/shop?size=4&colour=red', '/shop?colour&size', '/shop?*'],
  ['/shop?colour=red&size=4&size=5', '/shop?colour&size', '/shop?*'],
  ['/shop/?f[0]=a&f[1]=b', '/shop/?f[N]', '/shop/?*'],
  ['/index.php?title=A&action=edit', '/index.php?action&title', '/index.php?*'],
  ['/t/17?page=2', '/t/N?page', '/t/N?*'],
  ['/x?', '/x?', '/x?*'],
  ['/x?a&b&c&d&e&f&g&h&i&j', '/x?a&b&c&d&e&f&g&h&**', '/x?*'],
]

for (const [path, fine, coarse] of SHAPES) {
  test(`${path} has the shapes ${fine} and ${coarse}`, () => {
    assert.deepEqual(shapesOf(`https://example.com${path}`), { fine, coarse })
  })
}

test('every url has shapes that can be printed', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), (text) => {
      const url = new URL(text)
      url.hash = ''
      const { fine, coarse } = shapesOf(url.href)
      for (const shape of [fine, coarse]) assert.match(shape, /^\/[\x21-\x7e]*$/)
    }),
  )
})
