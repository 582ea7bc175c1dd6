import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { readHeapSizes, spawnThread } from './threads.ts'

const WAITS = new URL(
  'data:text/javascript,import { parentPort } from "node:worker_threads"; parentPort.on("message", () => {})',
)

test('threads tell of their heaps by kind while they live', async () => {
  const started = [spawnThread('store', WAITS), spawnThread('crawl', WAITS), spawnThread('crawl', WAITS)]
  await Promise.all(started.map((worker) => once(worker, 'online')))
  const figures = await readHeapSizes()
  assert.deepEqual(figures.map(({ thread }) => thread).sort(), ['crawl', 'main', 'store'])
  for (const { bytes } of figures) assert.ok(bytes > 0)
  assert.equal(started[1]?.resourceLimits?.maxYoungGenerationSizeMb, 24)
  await Promise.all(started.map((worker) => worker.terminate()))
  assert.deepEqual(
    (await readHeapSizes()).map(({ thread }) => thread),
    ['main'],
  )
})
