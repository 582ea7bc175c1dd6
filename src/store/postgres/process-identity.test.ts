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

it('nothing is certain about a process on another machine', () => {
  const ended = spawnSync(process.execPath, ['--version']).pid
  assert.equal(isProcessGone({ machine: 'elsewhere', pid: ended }), false)
  assert.equal(isProcessGone({ machine: null, pid: ended }), false)
})
