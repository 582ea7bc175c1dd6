import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { statusChanges } from './status-changes.ts'

const home = ['/a', '/b', '/c', '/d'].map((path) => `<a href=${path}>${path}</a>`).join('')

it('compares statuses with the last crawl from the same start', async () => {
  const { found, summary } = await auditSite(
    statusChanges,
    { '/': home, '/a': { status: 500 }, '/b': 'b', '/c': 'c', '/d': 'd' },
    { '/': home, '/a': 'a', '/b': 'b', '/c': 'c', '/d': 'd' },
    { '/other': 'another start' },
    { '/': home, '/a': 'a', '/c': { to: '/' }, '/d': { problem: 'timeout' } },
  )
  assert.deepEqual(found, [
    '/b | Status 200 before, Status 404 now',
    '/c | Status 200 before, Status 301 now',
    '/d | Status 200 before, No response now',
  ])
  assert.notEqual(summary.earlierCrawlId, null)
})

it('says so if the site was not crawled before', async () => {
  const { summary } = await auditSite(statusChanges, { '/': 'home' })
  assert.deepEqual(summary.skipped, { 'status-changes': 'no_earlier_crawl' })
})
