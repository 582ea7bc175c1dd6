import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findCssUrls, rewriteCssUrls } from './css-urls.ts'

describe('the URLs of a style sheet', () => {
  it('are found in every spelling', () => {
    const cases: Record<string, string[]> = {
      'a{background:url(x.png)}': ['x.png'],
      'a{background:URL( "x y.png" )}': ['x y.png'],
      "a{background:url('x\\'.png')}": ["x'.png"],
      'a{b:url(a\\29 b)}': ['a)b'],
      '@import "one.css";@import url(two.css) print;': ['one.css', 'two.css'],
      "@IMPORT /* why */ 'three.css' screen;": ['three.css'],
      '@font-face{src:url(a.woff2)format("woff2"),url(b.woff)}': ['a.woff2', 'b.woff'],
      'a{b:url(\n  x\n)}': ['x'],
    }
    for (const [css, urls] of Object.entries(cases)) assert.deepEqual(findCssUrls(css), urls, css)
  })

  it('are not looked for in comments, strings and other names', () => {
    for (const css of ['/* url(a) */', 'a:before{content:"url(a)"}', 'a{b:blurl(a)}', '@importx "a";', '.a{} "b"']) {
      assert.deepEqual(findCssUrls(css), [], css)
    }
  })

  it('are replaced, and nothing else is', () => {
    const css = '@import "a";b{c:url(d) no-repeat;content:"url(e)"}/* url(f) */'
    assert.equal(
      rewriteCssUrls(css, (url, kind) => `${kind}-${url}`),
      '@import "import-a";b{c:url("resource-d") no-repeat;content:"url(e)"}/* url(f) */',
    )
  })

  it('are found in time that grows with the length alone', () => {
    for (const part of ['url("', "url('\\", 'url(', '@import "', '@import /*', '/*', '"\\', 'url( ', '\\']) {
      const length = 400_000
      const css = part.repeat(Math.ceil(length / part.length))
      const startedAt = process.cpuUsage()
      findCssUrls(css)
      const { user, system } = process.cpuUsage(startedAt)
      assert.ok((user + system) / 1000 < 3000, part)
    }
  })
})
