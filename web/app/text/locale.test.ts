import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ensureValidLocale, LOCALE } from './locale.ts'

describe('ensureValidLocale', () => {
  it('replaces a browser language that is not a valid tag', () => {
    for (const [language, after] of [
      ['de-AT', 'de-AT'],
      ['en', 'en'],
      ['en-US@posix', LOCALE],
      ['C', LOCALE],
      ['', LOCALE],
    ]) {
      const navigator = { language } as Navigator
      ensureValidLocale(navigator)
      assert.equal(navigator.language, after)
      assert.doesNotThrow(() => new Intl.NumberFormat(navigator.language))
    }
  })
})
