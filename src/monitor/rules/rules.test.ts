import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSelector } from '../../config/values/parse-selector.ts'
import { parseNumber } from '../../engine/extract/parse-number.ts'
import { readTree } from '../../engine/select/page-tree.ts'
import type { Evidence, ValueCondition } from '../../ports/monitors.ts'
import { splitWords } from '../text-words.ts'
import type { CheckPage, PageContent, Verdict } from '../verdict.ts'
import { compilePattern } from './pattern.ts'
import { checkValue } from './value.ts'
import { checkWords } from './words.ts'

function page(text: string, html: string | null = null, lang: string | null = null): PageContent {
  const tree = () => (html === null ? null : readTree(html))
  return { url: 'http://a.test/', lang, html, text: () => text, words: () => splitWords(text), tree }
}

/** Checks versions of a page, one after the other. */
async function follow(check: CheckPage, versions: PageContent[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  let state: string | null = null
  for (const version of versions) {
    const conclude = check(version)
    const verdict: Verdict = conclude === null ? { state: null, evidence: null } : await conclude(state)
    state = verdict.state
    verdicts.push(verdict)
  }
  return verdicts
}

async function hitsOf(check: CheckPage, texts: string[]): Promise<boolean[]> {
  const verdicts = await follow(
    check,
    texts.map((text) => page(text)),
  )
  return verdicts.map(({ evidence }) => evidence !== null)
}

function patternCheck(pattern: string): CheckPage {
  const compiled = compilePattern(pattern)
  assert.ok('check' in compiled, JSON.stringify(compiled))
  return compiled.check
}

function highlighted(evidence: Evidence | null): string[] {
  assert.ok(evidence?.kind === 'passages')
  return evidence.passages.flatMap(({ text, highlights }) => highlights.map(([start, end]) => text.slice(start, end)))
}

test('words are whole words in any case, phrases ignore punctuation and line ends', async () => {
  const check = checkWords(['lamp', 'desk light', '日本'])
  const found = async (text: string) => (await hitsOf(check, [text]))[0]
  assert.ok(await found('A LAMP.'))
  assert.ok(await found('the Desk-\nLight is on'))
  assert.ok(await found('これは日本です'))
  assert.ok(!(await found('lamps and lamplight, a desk and a light')))
  assert.ok(!(await found('')))
})

test('a match is a hit when it is new, and not while it stays', async () => {
  const check = checkWords(['lamp'])
  const versions = [
    'no match',
    'a lamp at 12:00',
    'a lamp at 12:05',
    'a lamp at 12:10 and another lamp',
    'gone',
    'a lamp',
  ]
  assert.deepEqual(await hitsOf(check, versions), [false, true, false, true, false, true])
})

test('the evidence shows passages with their matches', async () => {
  const filler = 'other words '.repeat(100)
  const [verdict] = await follow(checkWords(['lamp']), [page(`${filler}a lamp, LAMP ${filler}${filler}the lamp`)])
  assert.deepEqual(highlighted(verdict?.evidence ?? null), ['lamp', 'LAMP', 'lamp'])
  assert.ok(verdict?.evidence?.kind === 'passages')
  assert.equal(verdict.evidence.passages.length, 2)
  assert.equal(verdict.evidence.matches, 3)
  for (const { text } of verdict.evidence.passages) assert.ok(text.length < 300)
})

test('a page full of matches makes bounded evidence and state', async () => {
  const [verdict] = await follow(checkWords(['a']), [page('a '.repeat(100_000))])
  assert.ok(verdict?.evidence?.kind === 'passages')
  assert.equal(verdict.evidence.matches, 100_000)
  assert.ok(JSON.stringify(verdict).length < 20_000)
})

test('a pattern is matched line by line', async () => {
  const check = patternCheck('^\\d+ EUR$')
  const [verdict] = await follow(check, [page('Price\n12 EUR\nnot 13 EUR\n14 EUR')])
  assert.deepEqual(highlighted(verdict?.evidence ?? null), ['12 EUR', '14 EUR'])
  assert.equal(check(page('12\nEUR')), null)
})

test('a pattern that takes exponential time elsewhere is matched in linear time', () => {
  assert.equal(patternCheck('(x+x+)+y')(page('x'.repeat(100_000))), null)
})

async function valueHits(condition: ValueCondition, values: (string | null)[], lang: string | null = null) {
  const parsed = parseSelector('.price')
  assert.ok('selector' in parsed)
  const versions = values.map((value) => page('', value === null ? '<p>none' : `<b class=price>${value}</b>`, lang))
  const verdicts = await follow(checkValue(parsed.selector, condition), versions)
  return verdicts.map(({ evidence }) => (evidence?.kind === 'value' ? [evidence.before, evidence.after] : null))
}

test('a changed value is a hit with both values, the first one is not', async () => {
  assert.deepEqual(await valueHits({ kind: 'changed' }, ['1', '1', '2', null, '3']), [
    null,
    null,
    ['1', '2'],
    ['2', null],
    ['2', '3'],
  ])
  assert.deepEqual(await valueHits({ kind: 'changed' }, ['1', null, null, '1']), [null, ['1', null], null, null])
  assert.deepEqual(await valueHits({ kind: 'changed' }, [null, '1']), [null, null])
})

test('a condition is a hit when it becomes true', async () => {
  const above: ValueCondition = { kind: 'above', limit: 100 }
  assert.deepEqual(await valueHits(above, ['99', '101 EUR', '102', '100', '$1,000.50', 'sold out']), [
    null,
    ['99', '101 EUR'],
    null,
    null,
    ['100', '$1,000.50'],
    null,
  ])
  assert.deepEqual(await valueHits({ kind: 'below', limit: 5 }, ['3', null, '4']), [[null, '3'], null, null])
  assert.deepEqual(await valueHits({ kind: 'contains', text: 'SOLD' }, ['ok', 'sold out', 'Sold']), [
    null,
    ['ok', 'sold out'],
    null,
  ])
})

test('a page that cannot be read as a tree says nothing, and the last value stays remembered', async () => {
  const parsed = parseSelector('.price')
  assert.ok('selector' in parsed)
  const priced = (value: number) => page('', `<b class=price>${value}</b>`)
  const unreadable = [page('', `<b class=price>9</b>${'<div>'.repeat(10_000)}`), page('plain text')]
  const verdicts = await follow(checkValue(parsed.selector, { kind: 'changed' }), [
    ...unreadable,
    priced(1),
    ...unreadable,
    priced(1),
    priced(2),
  ])
  const hits = verdicts.map(({ evidence }) => evidence !== null)
  assert.deepEqual(hits, [false, false, false, false, false, false, true])
})

test('numbers are read as people write them', () => {
  const cases: [string, string | null, number | null][] = [
    ['1,299.00', null, 1299],
    ['1.299,00 €', 'de', 1299],
    ['1.299 €', 'de', 1299],
    ['1.299', 'en', 1.299],
    ['1,299', 'en', 1299],
    ['1,5', null, 1.5],
    ['EUR 12 345,67', 'fr', 12_345.67],
    ["CHF 1'200.50", 'de-CH', 1200.5],
    ['-3.5 %', null, -3.5],
    ['\u22127', null, -7],
    ['1,234,567', null, 1_234_567],
    ['1.234.567', null, 1_234_567],
    ['about 7 or 8', 'not a language', 7],
    ['0.125', 'en', 0.125],
    ['none', null, null],
  ]
  for (const [text, lang, expected] of cases) assert.equal(parseNumber(text, lang), expected, text)
})
