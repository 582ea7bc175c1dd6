import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { crawl } from '../../src/library/index.ts'
import { FLAWED_COUNTS, serveFlawedSite } from '../sites/flawed-site.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { makeTemporaryFolder, parseSummary, runProgram } from '../testing/program.ts'
import { runInProcess } from '../testing/run-in-process.ts'
import { crawlPlainSite } from './testing/plain-crawl.ts'

interface RuleLine {
  rule: string
  count: number | null
  skipped: string | null
}

const site = await serveFlawedSite({ after })
const { data, summary } = await crawlPlainSite({ after }, site, ['--delay', '0'])
const audit = (...args: string[]) => runInProcess(['audit', summary.crawl_id, ...args, '--data', data])
const parseLines = <T>(text: string): T[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)

/** An origin at which nothing listens. */
async function unusedOrigin(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}/`
}

describe('orbweaver audit', () => {
  it('finds each flaw of a site, and nothing else', async () => {
    const { code, stdout } = await audit('--json')
    assert.equal(code, 0)
    const rules = parseLines<RuleLine>(stdout)
    const found = rules.filter(({ count }) => count !== null && count > 0).map(({ rule, count }) => [rule, count])
    assert.deepEqual(Object.fromEntries(found), FLAWED_COUNTS)
    const skipped = rules.flatMap(({ rule, skipped: reason }) => (reason === null ? [] : [`${rule} ${reason}`]))
    assert.deepEqual(skipped, ['status-changes no_earlier_crawl'])
  })

  it('shows the last audit as a table, and the findings of a rule with anchor texts', async () => {
    const { stdout } = await audit('--last')
    assert.match(stdout, /^14 URLs, 10 archived pages examined\.$/m)
    assert.match(stdout, /^error +broken-links +2 +Correct the link/m)
    assert.match(stdout, /There is no earlier crawl with the same start URLs\. Not checked: status-changes\./)
    const findings = (await audit('broken-links', '--last')).stdout.replaceAll(site.origin, '')
    assert.match(findings, /^\/ +\/gone +Our gone +Status 404$/m)
    assert.match(findings, /^\/bread +\/gone +The old menu +Status 404$/m)
  })

  it('has its own exit code for findings that a build does not accept', async () => {
    const failed = await audit('--last', '--quiet', '--fail-on', 'broken-links,orphan-pages=1')
    assert.deepEqual([failed.code, failed.stdout], [4, ''])
    assert.equal(failed.stderr, 'broken-links: 2 findings, at most 0 accepted.\n')
    assert.equal((await audit('--last', '--quiet', '--fail-on', 'broken-links=2,redirect-loops')).code, 0)
    const unchecked = await audit('--last', '--quiet', '--fail-on', 'status-changes')
    assert.deepEqual([unchecked.code, unchecked.stderr], [4, 'status-changes: could not be checked.\n'])
  })

  it('says why a rule was not checked', async () => {
    const { stdout } = await audit('status-changes', '--last')
    assert.equal(stdout, 'Not checked: There is no earlier crawl with the same start URLs.\n')
  })

  it('fails a build if no page was visited', async (t) => {
    const folder = makeTemporaryFolder(t)
    const flags = ['--allow-private', '--retries', '0', '--data', folder, '--json']
    const crawled = await runProgram(['crawl', await unusedOrigin(), ...flags])
    assert.equal(crawled.code, 1, crawled.stderr)
    const id = parseSummary(crawled).crawl_id
    const { code, stdout, stderr } = await runInProcess(['audit', id, '--data', folder, '--fail-on', 'broken-links'])
    assert.equal(code, 4)
    assert.equal(stderr, 'broken-links: could not be checked.\n')
    assert.match(stdout, /^0 rules without findings\.\nThe crawl visited no page\. Not checked: broken-links, /m)
  })

  it('fails a build while the crawl is running, and says so', async (t) => {
    const slow = await servePlainSite(t, (path) => {
      const links = Array.from({ length: 40 }, (_, i) => `<a href="/${i}">${i}</a>`).join('')
      return path === '/' ? links : { body: path, afterMs: 2000 }
    })
    const folder = makeTemporaryFolder(t)
    const options = { data: folder, allowPrivate: true, ignoreRobots: true, perHost: 1, threads: 1, minFreeDisk: 0 }
    for await (const { crawlId } of crawl(slow.origin, options)) {
      const args = ['audit', crawlId, '--data', folder, '--fail-on', 'redirect-loops']
      const { code, stdout, stderr } = await runInProcess(args)
      assert.equal(code, 4, stderr)
      assert.match(stdout, /^The crawl is still running: \d+ URLs not visited yet\.$/m)
      assert.match(stderr, /^--fail-on: The crawl is still running: \d+ URLs not visited yet\.\n$/)
      break
    }
  })

  it('writes findings as CSV', async (t) => {
    const out = join(makeTemporaryFolder(t), 'findings.csv')
    await audit('images-without-alt', '--last', '--out', out)
    const lines = readFileSync(out, 'utf8').replaceAll(site.origin, '').split('\r\n')
    const expected = 'images-without-alt,warning,/bread,,/bread.jpg,1 of 1 image'
    assert.deepEqual(lines, ['rule,severity,url,other_url,text,detail', expected, ''])
  })

  it('names wrong rules and missing audits', async () => {
    const wrong = await audit('broken-link', '--last')
    assert.equal(wrong.code, 2)
    assert.match(wrong.stderr, /There is no rule "broken-link"\. Did you mean broken-links\?/)
  })
})
