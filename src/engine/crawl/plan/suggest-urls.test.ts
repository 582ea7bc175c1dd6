import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { suggestUrls } from './suggest-urls.ts'

describe('suggestions for a start URL that cannot be crawled', () => {
  const cases: [given: string, suggested: string[]][] = [
    ['htp://example.com/a', ['http://example.com/a']],
    ['http//example.com', ['http://example.com']],
    ['https;//example.com/?q=1', ['https://example.com/?q=1']],
    ['ftp://example.com/pub', ['http://example.com/pub']],
    ['www,example,com/docs', ['www.example.com/docs']],
    ['<https://example.com/>', ['https://example.com/']],
    ['“example.com”.', ['example.com']],
    ['example . com', ['example.com']],
    ['https://me:secret@example.com/', ['https://example.com/']],
    ['example', ['example.com', 'http://example/']],
    ['two words', []],
    ['mailto:me@example.com', []],
    ['', []],
    ['x'.repeat(5000), []],
  ]
  for (const [given, suggested] of cases) {
    it(`of ${given.slice(0, 40) || 'an empty text'}: ${suggested.join(', ') || 'none'}`, () => {
      assert.deepEqual(suggestUrls(given), suggested)
    })
  }
})
