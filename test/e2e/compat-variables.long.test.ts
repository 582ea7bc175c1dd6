// Environment variables of another system in a process that does not read them.

import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { startServer } from '../testing/start-server.ts'

/** Starts and stops a server with these variables, and returns its log. */
async function logOf(t: TestContext, env: Record<string, string>): Promise<string> {
  const { program, stop } = await startServer(t, { flags: ['--log-level', 'warn'], env })
  await stop()
  return program.stderrText()
}

it('the process that serves the API reads all of them', async (t) => {
  const log = await logOf(t, { WORKER_METRICS_PORT: '9091', FETCH_GAP_JITTER_MS: '25', FETCH_CONCURRENCY: '9' })
  assert.doesNotMatch(log, /environment variable ignored/)
})
