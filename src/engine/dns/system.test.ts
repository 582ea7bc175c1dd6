import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { outcomeOfError } from './answer.ts'
import { find, openBench } from './fixture.ts'
import { askSystem } from './system.ts'

describe('the system', () => {
  it('is asked for names that DNS servers do not know, and its answer is remembered', async (t) => {
    const { server, clock, resolver, systemAsked } = await openBench(t)
    for (const name of ['printer', 'box.local', 'PRINTER']) assert.deepEqual(await find(resolver, name), ['10.0.0.1'])
    assert.deepEqual(systemAsked, ['printer', 'box.local'])
    clock.advance(60_000)
    await find(resolver, 'printer')
    assert.equal(systemAsked.length, 3)
    // Anything asked of the servers before has come to them once this is answered.
    await find(resolver, 'www.test')
    assert.deepEqual([server.asked('printer'), server.asked('box.local')], [0, 0])
  })

  it('is not asked for localhost, which is loopback with all below it', async (t) => {
    const { server, resolver, systemAsked } = await openBench(t)
    for (const name of ['localhost', 'LOCALHOST.', 'app.localhost']) {
      assert.deepEqual(await find(resolver, name), ['127.0.0.1', '::1'])
      assert.equal(resolver.peek(name)?.address, '127.0.0.1')
    }
    assert.deepEqual([systemAsked, server.asked('app.localhost')], [[], 0])
    server.set('notlocalhost.test', { a: ['192.0.2.1'] })
    assert.deepEqual(await find(resolver, 'notlocalhost.test'), ['192.0.2.1'])
  })

  it('answers with addresses', async () => {
    const outcome = await new Promise((resolve) => askSystem('127.0.0.1', resolve))
    assert.deepEqual(outcome, { kind: 'found', addresses: [{ address: '127.0.0.1', family: 4 }], ttlMs: 60_000 })
  })

  it('is sure of a name that is not there, and of no other failure', () => {
    const failure = (code: string) => outcomeOfError(Object.assign(new Error(code), { code }))
    assert.deepEqual(failure('ENOTFOUND'), { kind: 'none', code: 'ENOTFOUND' })
    for (const code of ['EAI_AGAIN', 'EAI_FAIL', 'EMFILE']) assert.deepEqual(failure(code), { kind: 'failed', code })
  })
})
