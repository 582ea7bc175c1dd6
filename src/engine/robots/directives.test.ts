import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { cpuMs } from '../../lib/testing/cpu-time.ts'
import { findRefusedRel, NO_PAGE_DIRECTIVES, type PageDirectives, readDirectives } from './directives.ts'

const NOW = Date.UTC(2030, 5, 25, 15)

/** The names of the active directives. */
function read(sources: { robots?: string; own?: string; robotsTag?: string | null; now?: number }): string {
  const { robots = '', own = '', robotsTag = null, now = NOW } = sources
  const html = { robots, robotsFor: new Map([['orbweaver', own]]) }
  return namesOf(readDirectives({ html, robotsTag, product: 'Orbweaver/1.0', now }))
}

function namesOf(pageDirectives: PageDirectives): string {
  return Object.entries(pageDirectives)
    .filter(([, isOn]) => isOn)
    .map(([name]) => name)
    .join(' ')
}

describe('a list of directives', () => {
  const cases: [text: string, expected: string][] = [
    ['', ''],
    ['all', ''],
    ['index, follow', ''],
    ['noindex', 'noindex'],
    ['NoIndex,NOFOLLOW', 'noindex nofollow'],
    ['none', 'noindex nofollow'],
    [' nofollow , noarchive ,nosnippet', 'nofollow noarchive nosnippet'],
    ['noindex nofollow', 'noindex nofollow'],
    ['noindex; nofollow', 'noindex nofollow'],
    ['nocache', 'noarchive'],
    ['noindexing, xnofollow, no, index', ''],
    ['max-snippet:20, max-image-preview:large, max-video-preview:-1', ''],
    ['max-snippet:20, nofollow', 'nofollow'],
    ['nofollow max-snippet:0', 'nofollow nosnippet'],
    ['max-snippet: 0', 'nosnippet'],
    ['max-snippet:00', ''],
    ['max-image-preview:none', ''],
    ['unavailable_after: 25 Jun 2030 15:00:00 GMT', 'noindex'],
    ['unavailable_after: 25 Jun 2030 15:00:01 GMT', ''],
    ['unavailable_after: 25 Jun 2030 10:00:00 EST, nofollow', 'noindex nofollow'],
    ['unavailable_after: Tuesday, 25-Jun-30 15:00:00 GMT, nofollow', 'noindex nofollow'],
    ['unavailable_after: Tuesday, 25-Jun-30 15:00:01 GMT, nofollow', 'nofollow'],
    ['unavailable_after: Jun 25, 2031, nofollow', 'nofollow'],
    ['unavailable_after: Tue, Jun 25, 2030', 'noindex'],
    ['UNAVAILABLE_AFTER:2030-06-25T15:00:00', 'noindex'],
    ['unavailable_after:2030-06-25T15:00:01', ''],
    ['unavailable_after:2030-06-25T20:30:00+05:30', 'noindex'],
    ['unavailable_after: 2030-06-25', 'noindex'],
    ['unavailable_after: 2030-06-26', ''],
    ['unavailable_after: never, nofollow', 'nofollow'],
    ['unavailable_after: 12', ''],
    ['unavailable_after:', ''],
  ]
  for (const [text, expected] of cases) {
    it(`"${text}" means ${expected || 'nothing'}`, () => {
      assert.equal(read({ robots: text }), expected)
      assert.equal(read({ own: text }), expected)
      assert.equal(read({ robotsTag: text }), expected)
      assert.equal(read({ robotsTag: `orbweaver: ${text}` }), expected)
      assert.equal(read({ robotsTag: `googlebot: ${text}` }), '')
    })
  }

  it('a date without a time zone means the same anywhere in the world', (t) => {
    const zone = process.env['TZ']
    t.after(() => (zone === undefined ? delete process.env['TZ'] : Object.assign(process.env, { TZ: zone })))
    for (const each of ['Asia/Tokyo', 'America/Los_Angeles']) {
      process.env['TZ'] = each
      assert.equal(read({ robots: 'unavailable_after: 25 Jun 2030 15:00:00' }), 'noindex', each)
      assert.equal(read({ robots: 'unavailable_after: 25 Jun 2030 15:00:01' }), '', each)
    }
  })
})

describe('X-Robots-Tag', () => {
  const cases: [robotsTag: string, expected: string][] = [
    ['orbweaver: noindex, nofollow', 'noindex nofollow'],
    ['Orbweaver : noindex', 'noindex'],
    ['googlebot: nofollow', ''],
    ['orbweaver-news: nofollow', ''],
    ['*: noindex', 'noindex'],
    ['googlebot: noindex, nofollow', ''],
    ['noindex\ngooglebot: nofollow', 'noindex'],
    ['googlebot: nofollow\nnoindex', 'noindex'],
    ['googlebot: nofollow, orbweaver: noindex, noarchive, otherbot: none', 'noindex noarchive'],
    ['noindex, googlebot: nofollow', 'noindex'],
    ['googlebot: unavailable_after: 25 Jun 2020 15:00:00 GMT, orbweaver: nofollow', 'nofollow'],
    ['googlebot: unavailable_after: Thu, 25 Jun 2020 15:00:00 GMT\nnofollow', 'nofollow'],
  ]
  for (const [robotsTag, expected] of cases) {
    it(`${JSON.stringify(robotsTag)} means ${expected || 'nothing'}`, () => assert.equal(read({ robotsTag }), expected))
  }
})

describe('readDirectives', () => {
  it('adds up all directives that apply to us', () => {
    assert.equal(read({ robots: 'noindex', own: 'nofollow', robotsTag: 'noarchive' }), 'noindex nofollow noarchive')
  })

  it('directives for our name do not replace those for everyone', () => {
    assert.equal(read({ robots: 'noindex', own: 'all' }), 'noindex')
    assert.equal(read({ robots: 'noindex', robotsTag: 'orbweaver: index, follow' }), 'noindex')
  })

  it('a response that is not a page has headers only', () => {
    const sources = { html: null, product: 'orbweaver', now: NOW }
    assert.equal(namesOf(readDirectives({ ...sources, robotsTag: 'none' })), 'noindex nofollow')
    assert.deepEqual(readDirectives({ ...sources, robotsTag: null }), NO_PAGE_DIRECTIVES)
  })

  it('another source never removes a directive', () => {
    const word = fc.constantFrom(
      'noindex',
      'nofollow',
      'all',
      'googlebot:',
      'orbweaver:',
      ',',
      ' ',
      '\n',
      ':',
      'max-snippet:0',
    )
    const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(''))
    const property = fc.property(text, text, (first, second) => {
      const less = read({ robotsTag: first }).split(' ')
      const more = read({ robotsTag: `${first}\n${second}` }).split(' ')
      assert.ok(less.every((name) => name === '' || more.includes(name)))
    })
    fc.assert(property, { numRuns: 2000 })
  })

  it('a megabyte takes linear time', () => {
    const took = cpuMs(() => {
      for (const each of [
        ',',
        ':',
        'a:',
        'a: ',
        ' ',
        'noindex ',
        'unavailable_after:',
        'unavailable_after:1,',
        '\n',
        '1,',
        'a',
      ]) {
        const text = each.repeat(1_000_000 / each.length)
        read({ robots: text, robotsTag: text })
      }
    })
    assert.ok(took < 10_000, `${took} ms`)
  })
})

describe('the rel attribute of a link', () => {
  const nofollow = { relNofollow: true, skipUgcSponsored: false }
  const both = { relNofollow: true, skipUgcSponsored: true }
  const cases: [rel: string, byDefault: string | null, withBoth: string | null][] = [
    ['', null, null],
    ['noopener noreferrer', null, null],
    ['nofollow', 'nofollow', 'nofollow'],
    ['noopener nofollow', 'nofollow', 'nofollow'],
    ['ugc\tnofollow', 'nofollow', 'nofollow'],
    ['ugc', null, 'ugc'],
    ['external sponsored', null, 'sponsored'],
    ['sponsored ugc', null, 'ugc'],
    ['dofollow', null, null],
    ['nofollowx ugc-x', null, null],
    ['nofollow,ugc', null, null],
  ]
  for (const [rel, byDefault, withBoth] of cases) {
    it(`"${rel}" is refused as ${byDefault}, and as ${withBoth} if ugc and sponsored are skipped`, () => {
      assert.equal(findRefusedRel(rel, nofollow), byDefault)
      assert.equal(findRefusedRel(rel, both), withBoth)
      assert.equal(findRefusedRel(rel, { relNofollow: false, skipUgcSponsored: false }), null)
    })
  }

  it('nofollow hides no other value if it is ignored', () => {
    assert.equal(findRefusedRel('nofollow ugc', { relNofollow: false, skipUgcSponsored: true }), 'ugc')
  })
})
