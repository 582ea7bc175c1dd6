import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { FETCH_VARIABLES, findIgnoredVariables, RUN_VARIABLES, WORKER_CONCURRENCY } from './environment.ts'

const UNSUPPORTED = { WORKER_METRICS_PORT: '9091' }
const SUPPORTED = [...Object.values(RUN_VARIABLES), ...Object.values(FETCH_VARIABLES), WORKER_CONCURRENCY]
const ignoredNames = (env: Record<string, string>, servesApi: boolean) =>
  findIgnoredVariables(env, servesApi).map(({ variable }) => variable)

describe('variables of the other system', () => {
  it('that are not supported are reported if they are set', () => {
    assert.deepEqual(
      ignoredNames({ ...UNSUPPORTED, FETCH_CONCURRENCY: '9', MAX_RETRIES: '1' }, true),
      Object.keys(UNSUPPORTED),
    )
    assert.deepEqual(ignoredNames({ WORKER_METRICS_PORT: '', PATH: '/bin' }, true), [])
  })

  it('that only the API reads are reported in other processes', () => {
    const env = Object.fromEntries(SUPPORTED.map((variable) => [variable, '1']))
    assert.deepEqual(ignoredNames(env, true), [])
    assert.deepEqual(ignoredNames(env, false), SUPPORTED)
  })

  it('are all documented', () => {
    const guide = readFileSync(new URL('../../../docs/reference/compatible-apis.md', import.meta.url), 'utf8')
    for (const variable of [...SUPPORTED, ...Object.keys(UNSUPPORTED)])
      assert.ok(guide.includes(`\`${variable}\``), variable)
  })
})
