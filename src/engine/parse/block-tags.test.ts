import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isBlockTag } from './block-tags.ts'
import { lowerAscii } from './characters.ts'
import { BLOCK_TAGS } from './element-names.ts'
import { copyCodes } from './utf16-codes.ts'

function isSeparator(name: string): boolean {
  return isBlockTag(copyCodes(`<${name}>`), 1, name.length + 1)
}

test('every block tag is found, in any case', () => {
  for (const name of BLOCK_TAGS) assert.ok(isSeparator(name) && isSeparator(name.toUpperCase()), name)
})

test('other names are not found', () => {
  const close = fc.constantFrom(...BLOCK_TAGS).chain((name) =>
    fc.tuple(fc.nat(name.length), fc.constantFrom('', 'x', '1', '\u0010', '\u212a')).map(([at, extra]) => {
      return name.slice(0, at) + extra + name.slice(at + 1)
    }),
  )
  const name = fc.oneof(close, fc.string({ minLength: 1 }), fc.constantFrom('a', 'b', 'span', 'my-div', 'h7'))
  fc.assert(fc.property(name, (text) => text === '' || isSeparator(text) === BLOCK_TAGS.has(lowerAscii(text))))
})
