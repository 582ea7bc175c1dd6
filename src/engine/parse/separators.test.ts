import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lowerAscii } from './characters.ts'
import { copyCodes } from './codes.ts'
import { SEPARATORS } from './elements.ts'
import { separates } from './separators.ts'

function isSeparator(name: string): boolean {
  return separates(copyCodes(`<${name}>`), 1, name.length + 1)
}

test('every separator is found, in any case', () => {
  for (const name of SEPARATORS) assert.ok(isSeparator(name) && isSeparator(name.toUpperCase()), name)
})

test('other names are none', () => {
  const close = fc.constantFrom(...SEPARATORS).chain((name) =>
    fc.tuple(fc.nat(name.length), fc.constantFrom('', 'x', '1', '\u0010', '\u212a')).map(([at, extra]) => {
      return name.slice(0, at) + extra + name.slice(at + 1)
    }),
  )
  const name = fc.oneof(close, fc.string({ minLength: 1 }), fc.constantFrom('a', 'b', 'span', 'my-div', 'h7'))
  fc.assert(fc.property(name, (text) => text === '' || isSeparator(text) === SEPARATORS.has(lowerAscii(text))))
})
