import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toPathPattern } from './path-pattern.ts'

const PATTERNS: readonly [path: string, pattern: string][] = [
  ['/', '/'],
  ['/about', '/W'],
  ['/blog/', '/W/'],
  ['/index.html', '/W.html'],
  ['/calendar/2026/03', '/calendar/N/N'],
  ['/calendar/2026-03-17/', '/calendar/N/'],
  ['/calendar/2026/03/17', '/calendar/N/**/N'],
  ['/blog/how-to-grow-old-roses', '/blog/S'],
  ['/2026/03/how-to-grow-old-roses/', '/N/N/S/'],
  ['/wiki/Spider', '/wiki/W'],
  ['/wiki/Help:17', '/wiki/WN'],
  ['/photos/img17.jpg', '/photos/WN.jpg'],
  ['/v2/api/list.html', '/vN/api/W.html'],
  ['/a/b/a/b/a/b', '/a/b/**/W'],
  ['/files/3f2a9c01', '/files/H'],
  ['/files/550e8400-e29b-41d4-a716-446655440000', '/files/H'],
  ['/files/kX82hZq', '/files/H'],
  ['/a//b', '/a//W'],
  ['/shop?size=4&colour=red', '/shop?*'],
  ['/shop?colour=red&size=4&size=5', '/shop?*'],
  ['/shop/?f[0]=a&f[1]=b', '/shop/?*'],
  ['/index.php?title=A&action=edit', '/index.php?*'],
  ['/t/17?page=2', '/t/N?*'],
  ['/x?', '/x?*'],
  ['/x?a&b&c&d&e&f&g&h&i&j', '/x?*'],
]

for (const [path, pattern] of PATTERNS) {
  test(`${path} has the pattern ${pattern}`, () => assert.equal(toPathPattern(`https://example.com${path}`), pattern))
}

test('every URL has a printable pattern', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), (text) => {
      const url = new URL(text)
      url.hash = ''
      assert.match(toPathPattern(url.href), /^\/[\x21-\x7e]*$/)
    }),
  )
})
