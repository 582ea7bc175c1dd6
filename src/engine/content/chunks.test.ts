import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitContent } from './chunks.ts'
import { contentOfHtml } from './page-content.ts'

const URL = 'https://example.com/a'

function chunksOf(html: string, maxLength = 100) {
  return splitContent(contentOfHtml(`<main>${html}</main>`, URL), URL, maxLength)
}

test('a chunk has its headings and the anchor of the nearest', () => {
  const chunks = chunksOf('<h1 id=t>T</h1><p>a</p><h2><a name=u></a>U</h2><p>b</p><h2>V</h2>c<h1>W</h1>d')
  assert.deepEqual(
    chunks.map(({ headings, anchor, markdown }) => [headings, anchor, markdown]),
    [
      [['T'], 't', '# T\n\na'],
      [['T', 'U'], 'u', '## U\n\nb'],
      [['T', 'V'], 't', '## V\n\nc'],
      [['W'], null, '# W\n\nd'],
    ],
  )
})

test('a change in one section leaves the ids of the others', () => {
  const page = (text: string) => chunksOf(`<h1>T</h1><h2>A</h2><p>${text}</p><h2>B</h2><p>b</p><h2>C</h2><p>c</p>`)
  const before = page('one').map(({ id }) => id)
  const after = page('one, and more text').map(({ id }) => id)
  assert.equal(before.length, 3)
  assert.notEqual(before[0], after[0])
  assert.deepEqual(before.slice(1), after.slice(1))
})

test('code that is split keeps its lines as they are', () => {
  const code = Array.from({ length: 60 }, (_, i) => `${' '.repeat(i % 3)}if (x) {${i === 30 ? '\n' : ''}`).join('\n')
  const chunks = chunksOf(`<pre>${code}</pre>`)
  const lines = chunks.flatMap(({ markdown }) => markdown.split('\n').slice(1, -1))
  assert.ok(chunks.length > 5)
  assert.equal(lines.join('\n'), code)
})

test('equal chunks of a page have different ids', () => {
  const ids = chunksOf('<h2>A</h2><p>x</p><h2>A</h2><p>x</p>').map(({ id }) => id)
  assert.equal(new Set(ids).size, 2)
})

test('long blocks are split, and code stays code', () => {
  const chunks = chunksOf(
    `<p>${'Some words. '.repeat(40)}</p><pre>${'line of code\n'.repeat(40)}</pre><p>${'x'.repeat(450)}</p>`,
  )
  for (const { markdown } of chunks) assert.ok(markdown.length <= 110, markdown)
  for (const { markdown } of chunks.filter((chunk) => chunk.markdown.includes('code'))) {
    assert.match(markdown, /^```\n.*\n```$/s)
  }
  assert.equal(
    chunks
      .map(({ markdown }) => markdown)
      .join('')
      .match(/Some words\./g)?.length,
    40,
  )
  assert.equal(
    chunks
      .map(({ markdown }) => markdown)
      .join('')
      .match(/x/g)?.length,
    450,
  )
})
