import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isDateWord } from './date-words.ts'
import { WordScanner } from './word-scanner.ts'

const LANGUAGES =
  'en de fr es it pt nl sv da nb is fi pl cs sk hu ro bg mk ru uk sr sr-Latn hr sl sq el tr az id ms ca gl eu et lv lt ga cy ar he fa ur hi bn ta th ka hy'
const FORMS: Intl.DateTimeFormatOptions[] = [{ month: 'long' }, { month: 'long', day: 'numeric' }, { weekday: 'long' }]

/** Names of the months alone and in dates, and of the weekdays. */
function dateNames(language: string): string[] {
  const days = Array.from({ length: 365 }, (_, day) => Date.UTC(2026, 0, 1 + day))
  return FORMS.flatMap((form) => {
    const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, { ...form, timeZone: 'UTC' })
    const parts = days.flatMap((day) => format.formatToParts(day))
    return [...new Set(parts.filter(({ type }) => type in form && type !== 'day').map(({ value }) => value))]
  })
}

function isOfDates(name: string): boolean {
  // Words of one or two letters stand for too much else: "de", "d'agost".
  for (
    const scanner = new WordScanner(name.replace(/(?<![\p{L}\p{M}])\p{L}{1,2}(?![\p{L}\p{M}])/gu, ''));
    scanner.next();
  ) {
    if (!scanner.isNumber && !isDateWord(scanner.hash)) return false
  }
  return true
}

for (const language of LANGUAGES.split(' ')) {
  it(`months and weekdays are recognised in ${language}, capitalised or not`, () => {
    const names = dateNames(language)
    assert.ok(names.length >= 19, names.join(' '))
    const spellings = names.flatMap((name) => [name.toLowerCase(), name.slice(0, 1).toUpperCase() + name.slice(1)])
    assert.deepEqual(
      spellings.filter((name) => !isOfDates(name)),
      [],
    )
  })
}

it('other words are not', () => {
  for (const word of ['weather', 'page', 'погода', 'seite', 'next', '12']) {
    const scanner = new WordScanner(word)
    assert.ok(scanner.next())
    assert.equal(isDateWord(scanner.hash), false, word)
  }
})
