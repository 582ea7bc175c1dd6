import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeCrawl } from './describe-crawl.ts'

const DEFAULTS = {
  scope: 'host',
  sitemap_only: false,
  max_pages: '',
  depth: '',
  include: '',
  exclude: '',
  delay: 'auto',
  per_host: '1',
  max_rate: '',
  ignore_robots: false,
  render: 'off',
  archive: 'all',
  keep: '1826',
  recrawl: 'off',
  schedule: '',
}

test('the defaults are described in full', () => {
  assert.deepEqual(describeCrawl(['https://example.com/docs/intro'], DEFAULTS), [
    'Visits all pages of example.com.',
    'Has no page limit.',
    'Sends one request at a time to a host, with pauses that follow its response time.',
    'Obeys robots.txt.',
    'Archives all responses for 5 years.',
  ])
})

test('without a start URL there is nothing to describe', () => {
  assert.deepEqual(describeCrawl([], DEFAULTS), [])
})

test('each choice has its sentence', () => {
  const seeds = ['https://example.com/docs/intro', 'https://example.org/']
  const sentence = (drafts: object, at = 0) => describeCrawl(seeds, { ...DEFAULTS, ...drafts })[at]
  assert.equal(sentence({ scope: 'prefix' }), 'Visits all pages below example.com/docs/ and 1 more start URL.')
  assert.match(sentence({ scope: 'domain' }) ?? '', /with all subdomains/)
  assert.match(sentence({ scope: 'any' }) ?? '', /follows links to any host/)
  assert.match(sentence({ sitemap_only: true }) ?? '', /pages in the sitemaps\. Follows no links\.$/)
  assert.equal(sentence({ max_pages: '100' }, 1), 'Stops after 100 pages.')
  assert.match(sentence({ depth: '2' }, 1) ?? '', /up to 2 steps/)
  assert.equal(
    sentence({ include: 'a\nb', exclude: 'c' }, 2),
    'Visits a URL only if it matches 2 include patterns and matches none of 1 exclude pattern.',
  )
  assert.equal(
    sentence({ delay: '2000', per_host: '4', max_rate: '3' }, 2),
    'Sends up to 4 requests at a time to a host, at least 2 s apart, and at most 3 per second in all.',
  )
  assert.match(sentence({ delay: '0' }, 2) ?? '', /without pauses\.$/)
  assert.equal(sentence({ ignore_robots: true }, 3), 'Ignores robots.txt.')
  assert.match(sentence({ render: 'auto' }, 4) ?? '', /^Renders pages/)
  assert.match(sentence({ archive: 'none' }, 4) ?? '', /^Archives nothing/)
  assert.match(sentence({ keep: '0' }, 4) ?? '', /forever/)
  assert.match(sentence({ recrawl: 'adaptive' }, 5) ?? '', /the more often a page changes/)
  assert.match(sentence({ schedule: '0 3 * * *' }, 5) ?? '', /on schedule/)
})
