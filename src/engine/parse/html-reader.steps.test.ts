// Tests pages that are read in steps: no step is long, and the facts equal those of a page read at once.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DEFAULT_MAX_LINKS } from '../../config/defaults.ts'
import { HtmlReader, readHtml } from './html-reader.ts'
import { flatPage, foreignPage, framePage } from './testing/html-grammar.ts'
import type { TextSink } from './text-feed.ts'

const OPTIONS = { wantText: true, sink: null, maxLinks: DEFAULT_MAX_LINKS, wantsRequisites: false }
const STRETCH = 1 << 16
const LENGTH = 1_000_000

const PAGES: Record<string, string> = {
  words: 'word '.repeat(LENGTH / 5),
  ampersands: '&'.repeat(LENGTH),
  references: '&amp;'.repeat(LENGTH / 5),
  brackets: '<'.repeat(LENGTH),
  'a plaintext element': `<plaintext>${'x'.repeat(LENGTH)}`,
  'an xmp element': `<xmp>${'\0'.repeat(LENGTH)}</xmp>`,
}

for (const [name, html] of Object.entries(PAGES)) {
  test(`a megabyte of ${name} is passed on in steps`, () => {
    let taken = 0
    const sink: TextSink = {
      add: (_, start, end) => {
        taken += end - start
      },
      endBlock: () => undefined,
    }
    const reader = new HtmlReader(
      { html, isUtf8: false },
      { wantText: false, sink, maxLinks: 0, wantsRequisites: false },
    )
    for (let isMore = true; isMore; ) {
      const before = taken
      isMore = reader.readOn(STRETCH)
      assert.ok(taken - before <= STRETCH, `${taken - before} characters at once`)
    }
    assert.ok(taken >= LENGTH / 5)
  })
}

const RAW = [
  '<!--',
  '-->',
  '--',
  '<script>',
  '</script>',
  '<',
  '</',
  '<title>',
  '</title>',
  '<xmp>',
  '</xmp>',
  '&amp;',
  'x',
]
const rawPage = fc.array(fc.constantFrom(...RAW)).map((pieces) => pieces.join(''))

test('step boundaries change nothing', () => {
  fc.assert(
    fc.property(fc.oneof(rawPage, flatPage, foreignPage, framePage), fc.integer({ min: 1, max: 9 }), (html, chars) => {
      const whole = readHtml(html, true)
      const reader = new HtmlReader({ html, isUtf8: false }, OPTIONS)
      while (reader.readOn(chars));
      assert.deepEqual(reader.finish(), whole)
    }),
  )
})

test('repeated links do not count towards the limit', () => {
  const html = '<a href=1#a><a href=1#b><a href=1 rel=nofollow><a href=1#c><a href=2><a href=2#x><a href=3><a href=3#y>'
  const { links, droppedLinks } = readHtml(html, false, null, 3)
  assert.deepEqual([links.map(({ href }) => href), droppedLinks], [['1#a', '1', '2'], 2])
})

test('links beyond the limit are counted', () => {
  const { links, droppedLinks } = readHtml('<a href=1><iframe src=2></iframe><a href=3><area href=4>', false, null, 2)
  assert.deepEqual([links.map(({ href }) => href), droppedLinks], [['1', '2'], 2])
})
