import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { cpuMs } from '../../lib/testing/cpu-time.ts'
import { canonicalFromLinkHeader } from './link-header.ts'

describe('canonicalFromLinkHeader', () => {
  const cases: [link: string, expected: string | null][] = [
    ['</a>; rel=canonical', '/a'],
    ['<https://example.com/a?b=1,2;3>; rel="canonical"', 'https://example.com/a?b=1,2;3'],
    ['< /a >;REL = "Canonical"', '/a'],
    ['</a> ; rel="next canonical"', '/a'],
    ['</a>; rel="next"; rel="canonical"', null],
    ['</a>; rel=next, </b>; rel=canonical, </c>; rel=canonical', '/b'],
    ['</a>; rel=next\n</b>; rel=canonical', '/b'],
    ['</a>; title="x, <b>; rel=canonical", </c>; rel=canonical', '/c'],
    ['</a>; title="say \\"<b>; rel=canonical\\""; rel=canonical', '/a'],
    ['</a>; title=; rel=canonical', '/a'],
    ['</a>; crossorigin; rel=canonical', '/a'],
    ['</a>;; rel=canonical;', '/a'],
    ['</a>; rel="can\\onical"', '/a'],
    ['</a>; rel=canonical; anchor="/other"', null],
    ['</a>; rel=canonicals', null],
    ['</a>; xrel=canonical', null],
    ['<>; rel=canonical', null],
    ['</a>', null],
    ['</a; rel=canonical', null],
    ['/a; rel=canonical', null],
    ['', null],
  ]
  for (const [link, expected] of cases) {
    it(`${JSON.stringify(link)} yields ${expected}`, () => assert.equal(canonicalFromLinkHeader(link), expected))
  }

  it('no header yields null', () => assert.equal(canonicalFromLinkHeader(null), null))

  it('is found after any other link', () => {
    const quoted = fc.string().map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`)
    const before = fc.array(quoted.map((title) => `<x>; rel=next; title=${title}`))
    const property = fc.property(before, (links) => {
      assert.equal(canonicalFromLinkHeader([...links, '</c>; rel="canonical"'].join(', ')), '/c')
    })
    fc.assert(property, { numRuns: 1000 })
  })

  it('a megabyte takes linear time', () => {
    const took = cpuMs(() => {
      for (const each of [
        '<',
        '>',
        '<>',
        '<>;',
        '<>;a="',
        '<>;a="\\',
        ';',
        '"',
        '<a>; rel=next, ',
        '<>; ;',
        '\\"',
        ' ',
      ]) {
        canonicalFromLinkHeader(each.repeat(1_000_000 / each.length))
        canonicalFromLinkHeader(`<a>;b="${each.repeat(1_000_000 / each.length)}`)
      }
    })
    assert.ok(took < 10_000, `${took} ms`)
  })
})
