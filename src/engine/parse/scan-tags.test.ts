import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { readTree } from '../select/page-tree.ts'
import { scanTags } from './scan-tags.ts'
import { flatPage } from './testing/html-grammar.ts'

const WANTED = new Set(['a', 'img', 'link', 'h1', 'meta', 'p'])

function scan(html: string): string[] {
  const found: string[] = []
  scanTags(html, WANTED, ({ name, get, isInHead, isInNoscript }) => {
    const marks = `${isInHead ? ' head' : ''}${isInNoscript ? ' noscript' : ''}`
    found.push(`${name} ${get('x') ?? '-'}${marks}`)
  })
  return found
}

it('finds tags with their attributes, and tells where the head ends', () => {
  const html = '<!doctype html><html><head><LINK X=1><meta x="a&amp;b"></head><link x=2><body><link x=3><img x=\'y\'>'
  assert.deepEqual(scan(html), ['link 1 head', 'meta a&b head', 'link 2 head', 'link 3', 'img y'])
  assert.deepEqual(scan('<link x=1>text<link x=2>'), ['link 1 head', 'link 2'])
  assert.deepEqual(scan('<title><link x=1></title><link x=2><h1><link x=3>'), ['link 2 head', 'h1 -', 'link 3'])
})

it('leaves out comments, scripts, raw text and templates', () => {
  const hidden = ['<!-- <img> -->', '<script>"<img>"</script>', '<style><img></style>', '<template><img></template>']
  assert.deepEqual(scan(`${hidden.join('')}<textarea><img></textarea><img x=1>`), ['img 1'])
  assert.deepEqual(scan('<template shadowrootmode=open><img x=1></template><img x=2>'), ['img 1', 'img 2'])
  assert.deepEqual(scan('<body><noscript><img x=1></noscript><img x=2>'), ['img 1 noscript', 'img 2'])
})

it('finds the same elements as a parser that builds a tree', () => {
  // Formatting elements are repeated in a tree, and tables move others: only what exists is compared.
  const names = new Set(['img', 'h1', 'area', 'link', 'iframe'])
  const page = fc.tuple(
    flatPage,
    fc.constantFrom('<img href=1>', '<h1 href="a&amp;b">x</h1>', "<area href='2'"),
    flatPage,
  )
  fc.assert(
    fc.property(page, (parts) => {
      const html = parts.join('')
      fc.pre(!/<(?:frameset|image|svg|math|plaintext)/i.test(html))
      const expected = (readTree(html)?.elements ?? [])
        .filter(({ name }) => names.has(name))
        .map(({ name, attributes }) => `${name} ${attributes.get('href') ?? ''}`)
      const found: string[] = []
      scanTags(html, names, ({ name, get }) => found.push(`${name} ${get('href') ?? ''}`))
      assert.deepEqual(found.sort(), expected.sort())
    }),
    { numRuns: 1000 },
  )
})

it('hostile pages take linear time', () => {
  const parts = [
    '<',
    '</',
    '<!--',
    '<a ',
    '<a x="',
    '<script>',
    '<script><!--<script>',
    '<template>',
    '<title>',
    '<h1',
    '-->',
  ]
  for (const part of parts) scan(part.repeat(300_000))
})
