import assert from 'node:assert/strict'
import { it } from 'node:test'
import { defaultConfig } from '../../config/load-config.ts'
import { readRunDefaults } from './run-config.ts'

const settingsFor = (env: Record<string, string>) => readRunDefaults(env, defaultConfig()).fetchSettings

it('of two variables for concurrency the lower one holds', () => {
  assert.deepEqual(settingsFor({ WORKER_CONCURRENCY: '8' }), { concurrency: '8' })
  assert.deepEqual(settingsFor({ WORKER_CONCURRENCY: '8', FETCH_CONCURRENCY: '12' }), { concurrency: '8' })
  assert.deepEqual(settingsFor({ WORKER_CONCURRENCY: '20', FETCH_CONCURRENCY: '12' }), { concurrency: '12' })
})

it('a bad value is named with its variable', () => {
  assert.throws(() => settingsFor({ WORKER_CONCURRENCY: 'many', FETCH_CONCURRENCY: '12' }), /WORKER_CONCURRENCY: /)
  assert.throws(() => settingsFor({ FETCH_GAP_JITTER_MS: '-1' }), /FETCH_GAP_JITTER_MS: /)
})
