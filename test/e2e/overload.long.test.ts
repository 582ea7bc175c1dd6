// Requests that real servers receive from a crawl if they are overloaded or have a few broken pages.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { runProgram } from '../testing/program.ts'
import { crawlPlainSite } from './testing/plain-crawl.ts'

const FAST = ['--delay', '0', '--no-traps', '--ignore-robots']
const linksTo = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `<a href="/${from + i}">x</a>`).join('')

/** Page 0 links to the pages of the first half, each of which links to one of the second half. */
function pageOf(path: string, pages: number): string {
  const n = Number(path.slice(1))
  const half = pages / 2
  if (n === 0) return linksTo(1, half)
  return n < half ? linksTo(n + half, n + half + 1) : `page ${n}`
}

describe('an overloaded host', { concurrency: true }, () => {
  it('that accepts three requests at a time delivers all its pages', async (t) => {
    const pages = 400
    let busy = 0
    let refused = 0
    const site = await servePlainSite(t, (path) => {
      if (busy >= 3) {
        refused += 1
        return { status: 503, body: 'busy' }
      }
      busy += 1
      setTimeout(() => {
        busy -= 1
      }, 15)
      return { body: pageOf(path === '/' ? '/0' : path, pages), afterMs: 15 }
    })
    const flags = [...FAST, '--per-host', '16', '--per-ip', '16', '--threads', '2', '--retry-delay', '200']
    const { summary, data } = await crawlPlainSite(t, site, flags)
    assert.deepEqual([summary.status, summary.states.visited], ['completed', summary.total])
    assert.ok(summary.total >= pages - 2, `${summary.total} urls`)
    assert.ok(refused > 0 && refused < pages / 3, `${refused} requests were refused`)
    const { stdout } = await runProgram(['politeness', summary.crawl_id, '--data', data, '--json'])
    const { concurrency_limit: limit } = JSON.parse(stdout) as { concurrency_limit: number | null }
    assert.ok(limit !== null && limit <= 8, `${limit}`)
    const table = await runProgram(['politeness', summary.crawl_id, '--data', data])
    assert.match(table.stdout, /\d at a time/)
  })

  it('that has a few broken pages is not paused for them', async (t) => {
    const pages = 400
    const broken = (path: string) => Number(path.slice(1)) % 97 === 96
    const site = await servePlainSite(t, (path) => {
      if (broken(path)) return { status: Number(path.slice(1)) % 2 === 0 ? 500 : 503 }
      return pageOf(path === '/' ? '/0' : path, pages)
    })
    // A pause would be too long to be mistaken for a slow machine.
    const flags = [...FAST, '--cooldown', '8000', '--retry-delay', '100']
    const { outcomes, summary } = await crawlPlainSite(t, site, flags)
    const starts = site.requests.map(({ startedAt }) => startedAt)
    const pauses = starts.filter((start, i) => start - (starts[i - 1] ?? start) >= 8000)
    assert.equal(pauses.length, 0)
    const errors = outcomes.filter((outcome) => outcome.includes('http_error'))
    assert.ok(errors.length >= 3 && errors.every((outcome) => /http_50[03]$/.test(outcome)), errors.join(', '))
    assert.equal((summary.states.visited ?? 0) + errors.length, summary.total)
    const attempts = site.paths().filter(broken)
    assert.equal(attempts.length, errors.length * 3, 'each was tried three times')
  })

  it('that sends a Retry-After in the year 2999 loses only that page', async (t) => {
    const site = await servePlainSite(t, (path) => {
      if (path === '/2') return { status: 503, headers: { 'retry-after': 'Fri, 31 Dec 2999 23:59:59 GMT' } }
      return pageOf(path === '/' ? '/0' : path, 20)
    })
    const { outcomes, summary } = await crawlPlainSite(t, site, [...FAST, '--retry-delay', '100'])
    assert.equal(summary.status, 'completed')
    assert.deepEqual(
      outcomes.filter((outcome) => !outcome.endsWith('visited')),
      ['/2 http_error http_503'],
    )
  })
})
