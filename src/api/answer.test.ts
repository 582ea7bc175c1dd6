import assert from 'node:assert/strict'
import { it } from 'node:test'
import { streamResponse } from './answer.ts'

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
