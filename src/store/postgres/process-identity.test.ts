import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { it } from 'node:test'
import { isProcessGone, ownIdentity } from './process-identity.ts'

it('a process that has ended is gone, and one that runs is not', () => {
  const { machine, pid } = ownIdentity()
  const ended = spawnSync(process.execPath, ['--version']).pid
  assert.equal(isProcessGone({ machine, pid }), false)
  assert.equal(isProcessGone({ machine, pid: ended }), machine !== null)
})

it('of a process on another machine nothing is certain', () => {
  const ended = spawnSync(process.execPath, ['--version']).pid
  assert.equal(isProcessGone({ machine: 'elsewhere', pid: ended }), false)
  assert.equal(isProcessGone({ machine: null, pid: ended }), false)
})
