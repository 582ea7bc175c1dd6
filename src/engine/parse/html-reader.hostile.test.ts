import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../lib/testing/cpu-time.ts'
import { readHtml } from './html-reader.ts'

// Each page is built to make a careless parser quadratic or overflow its stack.
const LIMIT_MS = 2000
const MB = 1_000_000

function fill(fragment: string, length: number): string {
  return fragment.repeat(Math.ceil(length / fragment.length))
}

const PAGES: readonly [fact: string, html: string, links?: number][] = [
  ['a million nested divs', fill('<div>', 5 * MB)],
  ['a hundred thousand links', fill('<a href="/some/page?x=1&amp;y=2">word</a> ', 4.2 * MB), 100_000],
  ['a hundred thousand unclosed links', fill('<p><a href=/x>word ', 2 * MB), 105_264],
  ['an attribute of five megabytes', `<a href="${fill('x&amp;', 5 * MB)}">`, 1],
  ['a tag with a million attributes', `<a ${fill('x=1 ', 4 * MB)} href=/x>`, 1],
  ['a tag name of five megabytes', `<svg><${fill('x', 5 * MB)}><a href=/x>`, 1],
  ['five megabytes of opening brackets', fill('<', 5 * MB)],
  ['two megabytes of closing brackets', fill('>', 2 * MB)],
  ['two megabytes of half end tags', fill('</', 2 * MB)],
  ['unclosed comments', fill('<!-- ', 2 * MB)],
  ['comments of dashes', fill('<!------', 2 * MB)],
  ['comments that end in a bang', fill('<!----!>', 2 * MB)],
  ['unclosed quotes', fill('<a href="', 2 * MB)],
  ['unclosed tags', fill('<a ', 2 * MB)],
  ['an unclosed script of script tags', `<script>${fill('<!--<script>', 2 * MB)}`],
  ['a script of comment marks', `<script>${fill('<!---->', 2 * MB)}`],
  ['a script of false ends', `<script>${fill('</scriptx', 2 * MB)}`],
  ['unclosed titles', fill('<title>', 2 * MB)],
  ['a title of ampersands', `<title>${fill('&', 2 * MB)}`],
  ['nested templates', fill('<template>', 2 * MB)],
  ['stray template ends', fill('</template>', 2 * MB)],
  ['templates opened and SVG left open', fill('<template><svg></template>', 2 * MB)],
  ['nested SVG', fill('<svg>', 2 * MB)],
  ['deep SVG with stray ends', `<svg>${fill('<g>', MB)}${fill('</path>', MB)}`],
  ['deep SVG with stray ends of HTML', `<div>${fill('x', MB)}</div><svg>${fill('<g>', MB)}${fill('</div>', MB)}`],
  ['SVG left and entered again', fill('<svg><g><p>', 2 * MB)],
  ['HTML and SVG in turn', fill('<svg><desc><b>', 2 * MB)],
  ['deep HTML in SVG with stray ends', `<svg><desc>${fill('<b>', MB)}${fill('</i>', MB)}`],
  ['unclosed CDATA', `<svg>${fill('<![CDATA[', 2 * MB)}`],
  ['nested framesets', fill('<frameset><frame src=x>', 2 * MB), 86_957],
  ['space before the body', `${fill(' ', 2 * MB)}<p>`],
  ['a refresh of two megabytes', `<meta http-equiv=refresh content="${fill('0', 2 * MB)};url=x">`, 1],
  ['a rel of two megabytes', `<link rel="${fill('nextx ', 2 * MB)}" href=x>`, 0],
  ['a description of space', `<meta name=description content="${fill(' ', 2 * MB)}x">`],
]

for (const [fact, html, links] of PAGES) {
  test(`${fact} are read in linear time, with and without text`, () => {
    for (const wantText of [false, true]) {
      let found = -1
      const tookMs = cpuMs(() => {
        found = readHtml(html, wantText, null, Number.MAX_SAFE_INTEGER).links.length
      })
      assert.ok(tookMs < LIMIT_MS, `took ${tookMs.toFixed(0)} ms`)
      assert.equal(found, links ?? 0)
    }
  })
}
