import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { FETCH_VARIABLES, findIgnoredVariables, RUN_VARIABLES } from './environment.ts'

const NOWHERE = {
  WORKER_CONCURRENCY: '8',
  FETCH_GAP_JITTER_MS: '25',
  FETCH_HOST_COOLDOWN_MAX_MS: '5000',
  RETRY_MAX_DELAY_MS: '30000',
  WORKER_METRICS_PORT: '9091',
}
const READ = [...Object.values(RUN_VARIABLES), ...Object.values(FETCH_VARIABLES)]
const namesOf = (env: Record<string, string>, servesApi: boolean) =>
  findIgnoredVariables(env, servesApi).map(({ variable }) => variable)

describe('variables of the other system', () => {
  it('that nothing here reads are named when they are set', () => {
    assert.deepEqual(namesOf({ ...NOWHERE, FETCH_CONCURRENCY: '9', MAX_RETRIES: '1' }, true), Object.keys(NOWHERE))
    assert.deepEqual(namesOf({ WORKER_CONCURRENCY: '', PATH: '/bin' }, true), [])
  })

  it('that only the API reads are named where it is not served', () => {
    const env = Object.fromEntries(READ.map((variable) => [variable, '1']))
    assert.deepEqual(namesOf(env, true), [])
    assert.deepEqual(namesOf(env, false), READ)
  })

  it('are all told of in the guide', () => {
    const guide = readFileSync(new URL('../../../docs/reference/compatible-apis.md', import.meta.url), 'utf8')
    for (const variable of [...READ, ...Object.keys(NOWHERE)]) assert.ok(guide.includes(`\`${variable}\``), variable)
  })
})
