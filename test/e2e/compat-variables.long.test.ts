// Environment variables of another system that Orbweaver does not read.

import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { startServer } from '../testing/start-server.ts'

/** Starts and stops a server with these variables, and returns its log. */
async function logOf(t: TestContext, env: Record<string, string>): Promise<string> {
  const { program, stop } = await startServer(t, { flags: ['--log-level', 'warn'], env })
  await stop()
  return program.stderrText()
}

it('a variable that is set but not read is logged once, with its replacement', async (t) => {
  const log = await logOf(t, { WORKER_METRICS_PORT: '9091', FETCH_GAP_JITTER_MS: '25', FETCH_CONCURRENCY: '9' })
  assert.equal(log.match(/environment variable ignored/g)?.length, 1, log)
  assert.match(log, /WORKER_METRICS_PORT.*--health-port/)
  assert.doesNotMatch(log, /variable=FETCH_GAP_JITTER_MS\b/)
  assert.doesNotMatch(log, /variable=FETCH_CONCURRENCY\b/)
})

it('without such variables the log does not mention them', async (t) => {
  assert.doesNotMatch(await logOf(t, {}), /environment variable ignored/)
})
