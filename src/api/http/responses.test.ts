import assert from 'node:assert/strict'
import { it } from 'node:test'
import { streamResponse } from './responses.ts'

it('a stream that is read as fast as it can be leaves room for others', async () => {
  async function* chunks() {
    for (let i = 0; i < 50; i++) yield 'x'
  }
  let turns = 0
  let isOver = false
  const turn = () => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  assert.equal((await streamResponse({ type: 'text/plain', filename: null, body: chunks() }).text()).length, 50)
  isOver = true
  assert.ok(turns >= 50, `${turns} turns`)
})

it('a stream is begun when it is read, not when only its headers are wanted', async () => {
  let isBegun = false
  async function* chunks() {
    isBegun = true
    yield 'one'
    yield 'two'
  }
  const make = () => streamResponse({ type: 'text/plain', filename: null, body: chunks() })
  make()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(isBegun, false)
  assert.equal(await make().text(), 'onetwo')
})
