// Variables of another system that a process of ours does not heed.

import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { makeTemporaryFolder, readServerAddress, startProgram } from '../testing/program.ts'

const QUIET = ['--health-port', '0', '--min-free-disk', '0', '--log-level', 'warn']

/** What a server that is started and ended with these variables has written to its log. */
async function logOf(t: TestContext, env: Record<string, string>): Promise<string> {
  const program = startProgram(['serve', '--data', makeTemporaryFolder(t), '--port', '0', ...QUIET], { env })
  await readServerAddress(program)
  program.child.kill('SIGTERM')
  return (await program.ended).stderr
}

it('a variable that is set and not read is named once in the log, with what there is in its place', async (t) => {
  const log = await logOf(t, { WORKER_METRICS_PORT: '9091', FETCH_GAP_JITTER_MS: '25', FETCH_CONCURRENCY: '9' })
  assert.equal(log.match(/environment variable ignored/g)?.length, 2, log)
  assert.match(log, /WORKER_METRICS_PORT.*--health-port/)
  assert.match(log, /FETCH_GAP_JITTER_MS/)
  assert.doesNotMatch(log, /variable=FETCH_CONCURRENCY\b/)
})

it('a log without such variables says nothing of them', async (t) => {
  assert.doesNotMatch(await logOf(t, {}), /environment variable ignored/)
})
