import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMetaRefresh } from './meta-refresh.ts'

// Steps of https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps
const TARGETS: readonly [content: string, target: string | null][] = [
  ['0;url=/x', '/x'],
  ['0; URL=/x', '/x'],
  ['  10 ;\turl = /x ', '/x'],
  ['0,url=/x', '/x'],
  ['0 url=/x', '/x'],
  ['0 /x', '/x'],
  ['0;/x', '/x'],
  ['.5;url=/x', '/x'],
  ['1.5.5;url=/x', '/x'],
  ["0;url='/x'y", '/x'],
  ['0;url="/x"y', '/x'],
  ['0;url="/x', '/x'],
  [`0;url='/x"y'`, '/x"y'],
  ["0;'/x'", '/x'],
  ['0;url=', ''],
  ['0;url', 'url'],
  ['0;ur=/x', 'ur=/x'],
  ['0;urlx', 'urlx'],
  ['0;uri=/x', 'uri=/x'],
  ['0;;url=/x', ';url=/x'],
  ['0;url=/x;y', '/x;y'],
  ['5', null],
  ['5;', null],
  [' 5 ; ', null],
  ['', null],
  ['url=/x', null],
  [';url=/x', null],
  ['-1;url=/x', null],
  ['0x;url=/x', null],
]

for (const [content, target] of TARGETS) {
  test(`a refresh of ${JSON.stringify(content)} leads to ${JSON.stringify(target)}`, () => {
    assert.equal(parseMetaRefresh(content), target)
  })
}
