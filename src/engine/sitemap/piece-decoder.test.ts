import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PieceDecoder } from './piece-decoder.ts'
import { locsOf, withLoc } from './testing/read-both-ways.ts'

const PAGE = withLoc('https://example.com/é')

function declared(encoding: string, loc: Buffer): Buffer {
  const [before = '', after = ''] = withLoc('|').split('|')
  return Buffer.concat([
    Buffer.from(`<?xml version="1.0" encoding="${encoding}"?>\n${before}`),
    loc,
    Buffer.from(after),
  ])
}

function swapped(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16()
}

const FILES: readonly [fact: string, body: Buffer, loc: string][] = [
  ['UTF-8 without a declaration', Buffer.from(PAGE), 'https://example.com/é'],
  ['UTF-8 with a mark', Buffer.from(`\uFEFF${PAGE}`), 'https://example.com/é'],
  [
    'marks and blanks before the declaration',
    Buffer.from(`\uFEFF\n \uFEFF<?xml version="1.0"?>${PAGE}`),
    'https://example.com/é',
  ],
  ['UTF-16LE by its mark', Buffer.from(`\uFEFF${PAGE}`, 'utf16le'), 'https://example.com/é'],
  ['UTF-16BE by its mark', swapped(`\uFEFF${PAGE}`), 'https://example.com/é'],
  ['UTF-16LE by its declaration', Buffer.from(`<?xml version="1.0"?>${PAGE}`, 'utf16le'), 'https://example.com/é'],
  ['UTF-16BE by its declaration', swapped(`<?xml version="1.0"?>${PAGE}`), 'https://example.com/é'],
  ['ISO-8859-1', declared('ISO-8859-1', Buffer.from([0x2f, 0xe9])), '/é'],
  ['windows-1251', declared('windows-1251', Buffer.from([0x2f, 0xe9])), '/й'],
  ['windows-1252', declared('Windows-1252', Buffer.from([0x2f, 0x80])), '/€'],
  ['gb2312', declared('gb2312', Buffer.from([0x2f, 0xd6, 0xd0])), '/中'],
  [
    'a mark beats the declaration',
    Buffer.concat([Buffer.from('\uFEFF'), declared('windows-1251', Buffer.from('/é'))]),
    '/é',
  ],
  ['UTF-16 declared in plain ASCII is UTF-8', declared('UTF-16', Buffer.from('/é')), '/é'],
  ['an unknown encoding is UTF-8', declared('x-klingon', Buffer.from('/é')), '/é'],
  ['an encoding that browsers reject is UTF-8', declared('hz-gb-2312', Buffer.from('/é')), '/é'],
  ['broken UTF-8 is replaced', declared('UTF-8', Buffer.from([0x2f, 0xe9, 0x2f])), '/�/'],
  [
    'blanks before a declaration',
    Buffer.concat([Buffer.from('\r\n'), declared('windows-1251', Buffer.from([0xe9]))]),
    'й',
  ],
]

for (const [fact, body, loc] of FILES) {
  test(`encodings: ${fact}`, () => {
    assert.deepEqual(locsOf(body), [loc])
  })
}

test('a meta element further down does not affect the encoding', () => {
  assert.deepEqual(locsOf(`<?xml version="1.0"?><!-- <meta charset=koi8-r> -->${withLoc('/é')}`), ['/é'])
})

test('a split character that needs more room than Node reserves is the only loss', () => {
  const decoder = new PieceDecoder('gb18030')
  const text = decoder.decode(Buffer.from([0x2f, 0x81, 0x30, 0x81])) + decoder.decode(Buffer.from('<loc>'))
  assert.ok(text.startsWith('/�'))
  assert.ok(text.endsWith('<loc>'))
})
