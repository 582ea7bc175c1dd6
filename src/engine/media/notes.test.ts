import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { notesOn } from './notes.ts'

const on = (html: string) => notesOn({ html, isTruncated: false })

it('an ordinary page has no notes', () => {
  for (const html of ['', '<p>a\tb\r\n\fc', 'caf\ufffd au lait', `${'word '.repeat(1000)}\0`])
    assert.deepEqual(on(html), [])
})

it('a page of controls or undecodable characters is binary', () => {
  for (const html of ['\0\0\0\0', 'PNG\ufffd\x01\x02', 'ab\ufffd', `<p>${'word '.repeat(200)}${'\0'.repeat(1000)}`]) {
    assert.deepEqual(on(html), ['binary'])
  }
})

it('a page that was cut is told to be', () => {
  assert.deepEqual(notesOn({ html: '\0', isTruncated: true }), ['binary', 'truncated'])
  assert.deepEqual(notesOn({ html: '<p>', isTruncated: true }), ['truncated'])
})

it('any text is judged', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (html) => assert.ok(on(html).length <= 1)))
})
