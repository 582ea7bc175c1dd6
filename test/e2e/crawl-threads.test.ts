// A crawl thread that dies ends the crawls on it, but none that start later. Threads start when a crawl has work for them.

import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { LoopEnd } from '../../src/engine/crawl/loop/crawl-loop.ts'
import type { CrawlSettings } from '../../src/ports/crawls.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { createCrawl, openTestRuntime } from './testing/test-runtime.ts'

const LEASE_MS = 2000
const PAGES = 40
const NO_FAILURE = new Promise<never>(() => undefined)

it('a crawl continues in a new thread if one of its threads dies', async (t) => {
  const threads = noteThreads(t)
  const page = Array.from({ length: PAGES }, (_, i) => `<a href="/${i}">x</a>`).join('')
  const some = Promise.withResolvers<void>()
  const site = await servePlainSite(t, (path) => {
    if (path === '/5') some.resolve()
    return { body: page, afterMs: 20 }
  })
  const runtime = await openTestRuntime(t, LEASE_MS)
  const crawl = await createCrawl(runtime, site.origin, { perHost: 2, delayMs: 0 })
  const runningCrawl = runtime.startCrawl(crawl)
  await some.promise
  const before = threads.length
  // The crawl threads are the last ones.
  void threads[before - 1]?.terminate()
  await assert.rejects(runningCrawl.run(NO_FAILURE), { message: 'A crawl thread exited without an error.' })
  assert.equal(await runtime.startCrawl(crawl).run(NO_FAILURE), 'completed')
  assert.equal(threads.length, before + 1)
  assert.equal((await runtime.crawls.progress(crawl.id)).ledger.visited, PAGES + 1)
  await runtime.closeThreads()
  assert.throws(() => runtime.startCrawl(crawl), /are closed/)
})

it('a crawl that sends one request at a time starts one thread, another crawl has one of its own', async (t) => {
  const site = await servePlainSite(t, () => ({ body: '', afterMs: 50 }))
  const threads = noteThreads(t)
  const runtime = await openTestRuntime(t)
  const create = (settings: Partial<CrawlSettings>) =>
    createCrawl(runtime, site.origin, { scope: 'host', perHost: 1, delayMs: 0, ...settings })
  const crawls = [await create({}), await create({}), await create({ scope: 'any' })]
  const before = threads.length
  const counts: number[] = []
  const runs: Promise<LoopEnd>[] = []
  for (const crawl of crawls) {
    runs.push(runtime.startCrawl(crawl).run(NO_FAILURE))
    // The event of a new thread comes in the next turn.
    await setImmediate()
    counts.push(threads.length - before)
  }
  assert.deepEqual(counts, [0, 1, 1], 'one thread was there before, and two are the maximum')
  assert.deepEqual(await Promise.all(runs), ['completed', 'completed', 'completed'])
})

function noteThreads(t: TestContext): Worker[] {
  const threads: Worker[] = []
  const note = (thread: Worker) => threads.push(thread)
  process.on('worker', note)
  t.after(() => process.off('worker', note))
  return threads
}
