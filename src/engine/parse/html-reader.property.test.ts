import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readHtml } from './html-reader.ts'
import { flatPage, foreignPage, framePage } from './testing/html-grammar.ts'
import { type OracleFacts, readWithTree } from './testing/html-oracle.ts'

const seed = Number(process.env['TEST_GRAPH_SEED'] ?? Date.now() & 0x7fffffff)

function readOurs(html: string, wantText: boolean): Omit<OracleFacts, 'mixesNames'> {
  const { links, baseHref, title, lang } = readHtml(html, wantText)
  return { links: links.map((link) => `${link.kind} ${link.href}`).sort(), baseHref, title, lang }
}

function agree(html: string): void {
  const { mixesNames, ...expected } = readWithTree(html)
  fc.pre(!mixesNames)
  assert.deepEqual(readOurs(html, false), expected)
  assert.deepEqual(readOurs(html, true), expected)
}

test(`random pages have the links, title and base that a tree builder finds (seed ${seed})`, () => {
  fc.assert(fc.property(flatPage, agree), { seed, numRuns: 2000 })
})

test(`random pages with SVG and MathML have the links, title and base that a tree builder finds (seed ${seed})`, () => {
  fc.assert(fc.property(foreignPage, agree), { seed, numRuns: 2000 })
})

test(`random pages with framesets have the links, title and base that a tree builder finds (seed ${seed})`, () => {
  fc.assert(fc.property(framePage, agree), { seed, numRuns: 1000 })
})

test(`no string makes it throw (seed ${seed})`, () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('<', '>', '</', '<!--', '<a', '<svg>', '"', '=', '&'),
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const html = pieces.join('')
      assert.deepEqual(readOurs(html, true), readOurs(html, false))
    }),
    { seed, numRuns: 1000 },
  )
})
