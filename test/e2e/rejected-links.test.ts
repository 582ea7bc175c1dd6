// Rejected links, counted by reason and with examples; and filter lists.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { makeTemporaryFolder, runProgram } from '../testing/program.ts'
import { runInProcess } from '../testing/run-in-process.ts'
import { crawlPlainSite } from './testing/plain-crawl.ts'

const FAST = ['--delay', '0', '--ignore-robots']

interface RejectedLinksOutput {
  rejected: Record<string, number>
  rejected_examples: { reason: string; link: string; page_url: string }[]
}

describe('rejected links', () => {
  it('of a page that forbids to follow them are all counted', async (t) => {
    const site = await servePlainSite(
      t,
      () => '<meta name="robots" content="nofollow"><a href="a">a</a><a href="b">b</a>',
    )
    const { summary, outcomes } = await crawlPlainSite(t, site, ['--delay', '0'])
    assert.deepEqual(outcomes, ['/ visited'])
    assert.deepEqual(summary.rejected, { nofollow: 2 })
  })

  it('are counted by reason, and status shows examples', async (t) => {
    const bad = [
      'http://[::1',
      'http://a b.test/',
      'mailto:x@y',
      `/${'x'.repeat(3000)}`,
      '/a/a/a/b',
      `/${'s/'.repeat(30)}`,
    ]
    const site = await servePlainSite(t, (path) =>
      path === '/' ? bad.map((href) => `<a href="${href}">x</a>`).join('') : 'page',
    )
    const { summary, data, outcomes } = await crawlPlainSite(t, site, FAST)
    assert.deepEqual(outcomes, ['/ visited'])
    const rejectedLinksOutput = JSON.parse(
      (await runInProcess(['status', summary.crawl_id, '--data', data, '--json'])).stdout,
    ) as RejectedLinksOutput
    assert.deepEqual(rejectedLinksOutput.rejected, {
      malformed: 2,
      scheme: 1,
      too_long: 1,
      repeated_segments: 1,
      path_too_deep: 1,
    })
    assert.ok(
      rejectedLinksOutput.rejected_examples.some(
        ({ reason, link }) => reason === 'malformed' && link === 'http://[::1',
      ),
    )
    const { stdout } = await runInProcess(['status', summary.crawl_id, '--data', data])
    assert.match(stdout, /Examples of rejected links:\n(.*\n)* {2}malformed: http:\/\/\[::1 on http/)
  })

  it('include matches of a filter list, but not its exceptions', async (t) => {
    const list = join(makeTemporaryFolder(t), 'list.txt')
    writeFileSync(list, '! a comment\n/banner/*\n@@/banner/good\n##.ad\n')
    const links = ['/banner/bad', '/banner/good', '/page'].map((href) => `<a href="${href}">x</a>`).join('')
    const site = await servePlainSite(t, (path) => (path === '/' ? links : 'page'))
    const { outcomes } = await crawlPlainSite(t, site, [...FAST, '--filter-list', list])
    assert.deepEqual(outcomes, ['/ visited', '/banner/good visited', '/page visited'])
  })

  it('a filter list that cannot be read is reported before anything starts', async (t) => {
    const data = join(makeTemporaryFolder(t), 'data')
    const programResult = await runProgram([
      'crawl',
      'http://a.test/',
      '--data',
      data,
      '--filter-list',
      '/no/such/list',
    ])
    assert.equal(programResult.code, 2)
    assert.match(programResult.stderr, /The filter list \/no\/such\/list cannot be read/)
  })

  it('URLs that differ only in a session id are one, unless configured otherwise', async (t) => {
    let visitors = 0
    const site = await servePlainSite(t, (path) => {
      visitors += 1
      const id = String(visitors).padStart(32, 'abcdef0123456789')
      return path.length > 200 ? 'page' : `<a href="/a;jsessionid=${id}">a</a><a href="/b?PHPSESSID=${id}&p=1">b</a>`
    })
    const { outcomes } = await crawlPlainSite(t, site, FAST)
    assert.deepEqual(outcomes, ['/ visited', '/a visited', '/b?p=1 visited'])
    const kept = await crawlPlainSite(t, site, [...FAST, '--keep-session-ids', '--depth', '2'])
    assert.ok(kept.outcomes.length > 4, kept.outcomes.join('\n'))
  })
})
