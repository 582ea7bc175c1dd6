import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { loadConfig } from '../../config/load-config.ts'
import { FETCH_VARIABLES, findIgnoredVariables, RUN_VARIABLES, WORKER_CONCURRENCY } from './environment.ts'

const SUPPORTED = [...Object.values(RUN_VARIABLES), ...Object.values(FETCH_VARIABLES), WORKER_CONCURRENCY]
const ignoredNames = (env: Record<string, string>, servesApi: boolean) =>
  findIgnoredVariables(env, servesApi).map(({ variable }) => variable)

describe('variables of the other system', () => {
  it('that only the API reads are reported in other processes', () => {
    const env = Object.fromEntries(SUPPORTED.map((variable) => [variable, '1']))
    assert.deepEqual(ignoredNames(env, true), [])
    assert.deepEqual(ignoredNames(env, false), SUPPORTED)
    assert.deepEqual(ignoredNames({ MAX_RETRIES: '', PATH: '/bin' }, false), [])
  })

  it('name the metrics port, unless our own name does', () => {
    const portOf = (env: Record<string, string>) => loadConfig([], env, []).config.healthPort
    assert.equal(portOf({ WORKER_METRICS_PORT: '9091' }), 9091)
    assert.equal(portOf({ WORKER_METRICS_PORT: '9091', ORBWEAVER_HEALTH_PORT: '9000' }), 9000)
    assert.equal(portOf({ WORKER_METRICS_PORT: '' }), 8081)
    assert.throws(() => portOf({ WORKER_METRICS_PORT: 'none' }), { code: 'BAD_CONFIG', message: /WORKER_METRICS_PORT/ })
  })

  it('are all documented', () => {
    const guide = readFileSync(new URL('../../../docs/reference/compatible-apis.md', import.meta.url), 'utf8')
    for (const variable of [...SUPPORTED, 'WORKER_METRICS_PORT']) assert.ok(guide.includes(`\`${variable}\``), variable)
  })
})
