import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { clearHeapFlags, readHeapSizes, spawnThread } from './threads.ts'

const WAITING_THREAD = new URL(
  'data:text/javascript,import { parentPort } from "node:worker_threads"; parentPort.on("message", () => {})',
)

test('heap sizes are reported by kind for running threads', async () => {
  const started = [
    spawnThread('store', WAITING_THREAD),
    spawnThread('crawl', WAITING_THREAD),
    spawnThread('crawl', WAITING_THREAD),
  ]
  await Promise.all(started.map((worker) => once(worker, 'online')))
  const heapSizes = await readHeapSizes()
  assert.deepEqual(heapSizes.map(({ thread }) => thread).sort(), ['crawl', 'main', 'store'])
  for (const { bytes } of heapSizes) assert.ok(bytes > 0)
  assert.equal(started[1]?.resourceLimits?.maxYoungGenerationSizeMb, 24)
  await Promise.all(started.map((worker) => worker.terminate()))
  assert.deepEqual(
    (await readHeapSizes()).map(({ thread }) => thread),
    ['main'],
  )
})

test('once heap flags are cleared, the limits of a thread are its own', async () => {
  setFlagsFromString('--max-old-space-size=3000')
  setFlagsFromString('--max-semi-space-size=4')
  clearHeapFlags()
  const worker = spawnThread('crawl', WAITING_THREAD, { resourceLimits: { maxOldGenerationSizeMb: 50 } })
  await once(worker, 'online')
  const { heap_size_limit: limitBytes } = await worker.getHeapStatistics()
  await worker.terminate()
  assert.equal(limitBytes / 1024 ** 2, 50 + 24)
})

test('the priority of a thread is lowered, never raised', { skip: process.platform !== 'linux' }, () => {
  const script = `
    import { getPriority, setPriority } from 'node:os'
    import { lowerPriority } from '${new URL('./threads.ts', import.meta.url)}'
    for (const nice of [12, 18]) {
      setPriority(nice)
      lowerPriority(5)
      console.log(getPriority())
    }`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  })
  assert.equal(stdout, '17\n19\n', stderr)
})
