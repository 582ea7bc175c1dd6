import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compareTexts } from '../compare-texts.ts'
import { compileIgnoreRules, patternOfLine } from '../ignore-rules.ts'
import { mainTextOfPlain } from '../main-text.ts'
import { HostNoise } from './host-noise.ts'
import { differOnlyInTimes } from './times.ts'

const BEFORE_AT = Date.UTC(2026, 10, 16, 9)
const AFTER_AT = Date.UTC(2026, 10, 17, 21)
const NO_RULES: { ignoreChanges: string[]; ignoreSelectors: string[] } = { ignoreChanges: [], ignoreSelectors: [] }

function compare(
  before: string,
  after: string,
  noise = new HostNoise(null),
  { rules = NO_RULES, isRepeated = true }: { rules?: typeof NO_RULES; isRepeated?: boolean | null } = {},
) {
  const { isIgnored } = compileIgnoreRules(rules)
  const visitedAt = { before: BEFORE_AT, after: AFTER_AT }
  return compareTexts(mainTextOfPlain(before), mainTextOfPlain(after), { noise, isIgnored, visitedAt, isRepeated })
}

function reasons(before: string, after: string, noise?: HostNoise) {
  return compare(before, after, noise).lines.flatMap(({ kind, ignored }) => (kind === 'same' ? [] : [ignored]))
}

describe('noise in a text', () => {
  it('is a clock, however it is written', () => {
    const clocks: [string, string][] = [
      ['It is 9:00 now.', 'It is 21:04 now.'],
      ['Generated 2026-11-16T09:00:00Z', 'Generated 2026-11-17T21:04:11.2Z'],
      ['Today is 16 November 2026', 'Today is 17 November 2026'],
      ['Mon, 16 Nov 2026 09:00:01 GMT', 'Tue, 17 Nov 2026 21:00:59 GMT'],
      ['Posted 3 minutes ago by Ann', 'Posted 2 days ago by Ann'],
      ['This page took 0.12 seconds', 'This page took 1.9 seconds'],
      ['Rendered in 45 ms', 'Rendered in 112 ms'],
      ['Request id 5f2b9c0a7d3e41f8', 'Request id 00ffee11aa22bb33cc'],
      ['11/16/2026', '11/17/2026'],
      ['Stand: 16. November 2026', 'Stand: 17. November 2026'],
      ['Mis à jour le 16 novembre 2026', 'Mis à jour le 17 novembre 2026'],
      ['Actualizado: 16 de noviembre de 2026', 'Actualizado: 17 de noviembre de 2026'],
      ['更新日：2026年11月16日', '更新日：2026年11月17日'],
      ['Updated: 2026/11/16', 'Updated: 2026/11/17'],
      ['Saved 2026-03-01 10:00, viewed at 9:00', 'Saved 2026-11-02 11:30, viewed at 21:04'],
    ]
    for (const [before, after] of clocks) {
      assert.deepEqual(reasons(before, after), ['clock', 'clock'], after)
      assert.equal(compare(before, after).isNews, false)
    }
  })

  it('is not a price, a date of something else, or a word', () => {
    const news: [string, string][] = [
      ['The price is 20 EUR.', 'The price is 30 EUR.'],
      ['The conference is on 3 May 2027.', 'The conference is on 4 May 2027.'],
      ['Version 1.2.3', 'Version 1.2.4'],
      ['We open at noon.', 'We open at midnight.'],
      ['Monday 9:00-17:00', 'Monday 10:00-18:00'],
      ['The train leaves at 14:05.', 'The train leaves at 14:35.'],
      ['The concert is on 2026-12-03 19:00.', 'The concert is on 2026-12-04 20:00.'],
      ['The concert is on 3 Dec 2026 19:00.', 'The concert is on 3 Dec 2026 20:00.'],
      ['A request times out after 30 seconds.', 'A request times out after 60 seconds.'],
      ['Call 1800123456', 'Call 1800654321'],
      ['ISBN 1593279280', 'ISBN 1718503385'],
      ['The page times out in 30 seconds.', 'The page times out in 60 seconds.'],
      [`SHA-256: ${'0a1b2c3d'.repeat(8)}`, `SHA-256: ${'4e5f6a7b'.repeat(8)}`],
      ['Last release: 1 November 2026', 'Last release: 12 November 2026'],
      ['a', 'b'],
    ]
    for (const [before, after] of news) assert.equal(compare(before, after).isNews, true, after)
  })

  it('is not an opening hour that moves as much as a clock, while another one does not move', () => {
    const at = { before: Date.UTC(2026, 10, 16, 9, 17), after: Date.UTC(2026, 10, 16, 10, 17) }
    assert.equal(differOnlyInTimes('Open 9:00-18:00', 'Open 9:00-19:00', at), false)
    assert.equal(differOnlyInTimes('Open 9:00-18:00, now 9:18', 'Open 9:00-18:00, now 10:18', at), true)
    assert.equal(differOnlyInTimes('We open at 9:00 AM', 'We open at 9:00 PM', at), false)
  })

  it('is not a change after the start of a long line, such as code', () => {
    const code = (last: string) => `${'call(1, 2); '.repeat(400)}${last}`
    assert.equal(compare(code('stop()'), code('continue()')).isNews, true)
    assert.deepEqual(reasons(`At 9:00: ${code('stop()')}`, `At 21:04: ${code('stop()')}`), ['clock', 'clock'])
    assert.deepEqual(compare(code('stop()'), code('continue()')).keys, [])
  })

  it('is what changes at every visit on several pages of a host', () => {
    const noise = new HostNoise(null)
    const count = (n: number) => `Text\nWe had ${n} visitors\nEnd`
    const visit = (urlId: number, n: number) => {
      const { keys, isNews } = compare(count(n), count(n + 1), noise)
      for (const key of keys) noise.observe(key, urlId, true)
      return isNews
    }
    assert.deepEqual(
      [visit(1, 5), visit(2, 17), visit(1, 110), visit(3, 4), visit(4, 9)],
      [true, true, true, false, false],
    )
    const restored = new HostNoise(noise.toJson())
    assert.deepEqual(reasons(count(3), count(4), restored), ['learned', 'learned'])
    assert.equal(compare(`Text\nNews\n`, 'Text\nOther news\n', restored).isNews, true)
  })

  it('is learned for a place whose lines are always others', () => {
    const noise = new HostNoise(null)
    const page = (quote: string) => `Welcome\nQuote of the day\n${quote}\nRead more on our site`
    const quotes = ['Time flies', 'Less is more', 'All is well', 'Haste makes waste', 'Hope', 'Now', 'Never', 'Wait']
    const news = quotes.slice(1).map((quote, i) => {
      const { keys, isNews } = compare(page(quotes[i] ?? ''), page(quote), noise)
      for (const key of keys) noise.observe(key, i, true)
      return isNews
    })
    assert.deepEqual(news, [true, true, true, true, true, true, false])
    // If the page does not change at every visit, the change is news.
    assert.equal(compare(page('Old'), page('New'), noise, { isRepeated: false }).isNews, true)
  })

  it('is not what stayed the same at some visits', () => {
    const noise = new HostNoise(null)
    for (let i = 0; i < 20; i++) {
      const { keys } = compare(`a\n${i} EUR\nb`, `a\n${i + 1} EUR\nb`, noise)
      for (const key of keys) noise.observe(key, i, i % 4 !== 0)
    }
    assert.equal(compare('a\n1 EUR\nb', 'a\n2 EUR\nb', noise).isNews, true)
    const counter = new HostNoise(null)
    for (let i = 0; i < 9; i++) counter.observe(compare('7 EUR', '8 EUR').keys[0] ?? '', i, true)
    const isNews = [true, null, false].map((isRepeated) => compare('7 EUR', '8 EUR', counter, { isRepeated }).isNews)
    assert.deepEqual(isNews, [false, false, true])
  })

  it('takes bounded room', () => {
    const noise = new HostNoise(null)
    for (let i = 0; i < 5000; i++) noise.observe(`key${i}`, i, true)
    assert.ok(noise.toJson().length < 20_000)
  })

  it('is what matches a pattern, such as one of a picked line', () => {
    const line = 'Rated 4.5 of 5 (1,234 votes) [more]'
    const rules = { ...NO_RULES, ignoreChanges: [patternOfLine(line)] }
    const { lines, isNews } = compare(line, 'Rated 4.6 of 5 (1,301 votes) [more]', undefined, { rules })
    assert.deepEqual([isNews, lines.map(({ ignored }) => ignored)], [false, ['rule', 'rule']])
    assert.equal(compare('Rated well', 'Rated badly', undefined, { rules }).isNews, true)
  })
})
