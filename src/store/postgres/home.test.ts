import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { it } from 'node:test'
import { isGone, ownHome } from './home.ts'

it('a process that has ended is gone, and one that runs is not', () => {
  const { machine, pid } = ownHome()
  const ended = spawnSync(process.execPath, ['--version']).pid
  assert.equal(isGone({ machine, pid }), false)
  assert.equal(isGone({ machine, pid: ended }), machine !== null)
})

it('of a process on another machine nothing is certain', () => {
  const ended = spawnSync(process.execPath, ['--version']).pid
  assert.equal(isGone({ machine: 'elsewhere', pid: ended }), false)
  assert.equal(isGone({ machine: null, pid: ended }), false)
})
