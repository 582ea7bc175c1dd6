// Compares decisions with a slow implementation of the RFC that shares no code: files are generated from glyphs whose
// normal form is known, patterns become regular expressions, and every rule is tried.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { decideRobots } from './compile-robots.ts'
import { parseRobots } from './parse-robots.ts'

interface Glyph {
  written: string
  normal: string
}

interface Rule {
  allow: boolean
  glyphs: Glyph[]
  isAnchored: boolean
}

interface Group {
  products: string[]
  rules: Rule[]
}

const PLAIN: Glyph[] = ['a', 'b', '/', '/', '=', '?'].map((text) => ({ written: text, normal: text }))
const ESCAPED: Glyph[] = [
  { written: '%61', normal: 'a' },
  { written: '%7e', normal: '~' },
  { written: '%2a', normal: '%2A' },
  { written: '%24', normal: '%24' },
  { written: 'é', normal: '%C3%A9' },
  { written: '%c3%A9', normal: '%C3%A9' },
  { written: ':', normal: '%3A' },
  { written: '%3d', normal: '%3D' },
]
const STAR: Glyph = { written: '*', normal: '*' }
const STAR_IN_PATH: Glyph = { written: '*', normal: '%2A' }
const DOLLAR_IN_PATH: Glyph = { written: '$', normal: '%24' }
const SLASH: Glyph = { written: '/', normal: '/' }

const patternGlyph = fc.constantFrom(...PLAIN, ...PLAIN, ...ESCAPED, STAR, STAR, STAR)
const pathGlyph = fc.constantFrom(...PLAIN, ...PLAIN, ...ESCAPED, STAR_IN_PATH, DOLLAR_IN_PATH)
const rule: fc.Arbitrary<Rule> = fc.record({
  allow: fc.boolean(),
  glyphs: fc.array(patternGlyph, { maxLength: 5 }).map((glyphs) => [SLASH, ...glyphs]),
  isAnchored: fc.boolean(),
})
const group: fc.Arbitrary<Group> = fc.record({
  products: fc.array(fc.constantFrom('*', 'foo', 'Foo', 'foo-bar', 'other'), { minLength: 1, maxLength: 2 }),
  rules: fc.array(rule, { minLength: 1, maxLength: 5 }),
})
const path = fc.array(pathGlyph, { maxLength: 6 }).map((glyphs) => [SLASH, ...glyphs])

const NAMES = { Foo: ['foo', '*'], 'foo-bar/1': ['foo-bar', 'foo', '*'], unknown: ['*'] }

const join = (glyphs: Glyph[], key: keyof Glyph) => glyphs.map((glyph) => glyph[key]).join('')

function write(groups: Group[]): string {
  return groups
    .flatMap(({ products, rules }) => [
      ...products.map((product) => `User-agent: ${product}`),
      ...rules.map(
        ({ allow, glyphs, isAnchored }) =>
          `${allow ? 'Allow' : 'Disallow'}: ${join(glyphs, 'written')}${isAnchored ? '$' : ''}`,
      ),
    ])
    .join('\n')
}

// In a query, a slash and a question mark equal their escapes, and count as such (2.2.2, table).
function octets({ glyphs, isAnchored }: Rule): number {
  const [head = '', ...query] = join(glyphs, 'normal').split('?')
  const tail = query.join('?').replace(/[/?]/g, '%2F')
  return head.length + (query.length > 0 ? 1 + tail.length : 0) + (isAnchored ? 1 : 0)
}

function allows(groups: Group[], names: string[], target: string): boolean {
  const isNamed = (one: Group, name: string) => one.products.some((product) => product.toLowerCase() === name)
  const name = names.find((one) => groups.some((other) => isNamed(other, one))) ?? ''
  const best = { octets: -1, allow: true }
  for (const { rules } of groups.filter((one) => isNamed(one, name))) {
    for (const one of rules) {
      const source = join(one.glyphs, 'normal').replace(/[.?~]/g, '\\$&').replaceAll('*', '.*')
      if (!new RegExp(`^${source}${one.isAnchored ? '$' : ''}`).test(target)) continue
      const length = octets(one)
      if (length > best.octets || (length === best.octets && one.allow))
        Object.assign(best, { octets: length, allow: one.allow })
    }
  }
  return best.allow
}

it('decisions equal those of trying every rule as a regular expression', () => {
  const property = fc.property(fc.array(group, { maxLength: 4 }), path, (groups, glyphs) => {
    const file = parseRobots(write(groups))
    for (const [product, names] of Object.entries(NAMES)) {
      const expected = allows(groups, names, join(glyphs, 'normal'))
      assert.equal(decideRobots(file, product, join(glyphs, 'written')).allowed, expected)
    }
  })
  fc.assert(property, { numRuns: 3000 })
})
