import assert from 'node:assert/strict'
import { it } from 'node:test'
import { streamResponse } from './responses.ts'

it('a stream with a fast reader yields to other requests', async () => {
  async function* chunks() {
    for (let i = 0; i < 50; i++) yield 'x'
  }
  let turns = 0
  let isDone = false
  const turn = () => {
    turns += 1
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  assert.equal((await streamResponse({ type: 'text/plain', filename: null, body: chunks() }).text()).length, 50)
  isDone = true
  assert.ok(turns >= 50, `${turns} turns`)
})

it('a stream starts when it is read, not when only its headers are needed', async () => {
  let hasStarted = false
  async function* chunks() {
    hasStarted = true
    yield 'one'
    yield 'two'
  }
  const respond = () => streamResponse({ type: 'text/plain', filename: null, body: chunks() })
  respond()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(hasStarted, false)
  assert.equal(await respond().text(), 'onetwo')
})
