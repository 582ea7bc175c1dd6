import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it, type TestContext } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import { AppError } from './errors.ts'
import { RpcClient, RpcServer } from './rpc.ts'

class Counter {
  #count = 0

  async add(step: number): Promise<number> {
    this.#count += step
    return this.#count
  }

  echo(value: unknown): unknown {
    return value
  }

  async never(): Promise<void> {
    await new Promise(() => undefined)
  }

  async refuse(): Promise<never> {
    throw new AppError('CRAWL_NOT_FOUND', 'No crawl begins with "x".')
  }

  failAtOnce(): never {
    throw new AppError('DISK_FULL', 'No room.')
  }

  async break(): Promise<never> {
    throw new RangeError('out of range')
  }

  async giveFunction(): Promise<unknown> {
    return () => 1
  }
}

function connect(t: TestContext) {
  const { port1, port2 } = new MessageChannel()
  const other = { echo: async (value: unknown) => ['other', value] }
  new RpcServer({ counter: new Counter(), other }).serve(port1)
  const client = new RpcClient(port2)
  t.after(() => client.close())
  return { client, counter: client.service<Counter>('counter'), port: port1 }
}

describe('a call', () => {
  it('runs the method of its service there and brings its value back', async (t) => {
    const { client, counter } = connect(t)
    assert.deepEqual(await Promise.all([counter.add(2), counter.add(3), counter.add(5)]), [2, 5, 10])
    assert.deepEqual(await client.service<Counter>('other').echo(1), ['other', 1])
  })

  it('carries everything that can be cloned', async (t) => {
    const { counter } = connect(t)
    const value = { big: 2n ** 63n, none: null, gone: undefined, list: [1, [2]], map: new Map([[1, new Set(['x'])]]) }
    assert.deepEqual(await counter.echo(value), value)
    assert.deepEqual(await counter.echo(new Uint8Array([1, 2])), new Uint8Array([1, 2]))
    assert.equal(await counter.echo(undefined), undefined)
  })

  it('brings an error back with its code and message', async (t) => {
    const { counter } = connect(t)
    await assert.rejects(counter.refuse(), (error) => {
      assert.ok(error instanceof AppError)
      assert.deepEqual([error.code, error.message], ['CRAWL_NOT_FOUND', 'No crawl begins with "x".'])
      return true
    })
  })

  it('that throws before its first await is an error like any other', async (t) => {
    const { counter } = connect(t)
    await assert.rejects(async () => counter.failAtOnce(), { code: 'DISK_FULL', message: 'No room.' })
  })

  it('that breaks is a defect, told by its message', async (t) => {
    const { counter } = connect(t)
    await assert.rejects(counter.break(), { code: 'INTERNAL', message: 'out of range' })
  })

  it('to a method or service that is not there is a defect', async (t) => {
    const { client } = connect(t)
    const lost = client.service<{ lost(): Promise<void> }>('counter')
    await assert.rejects(lost.lost(), { code: 'INTERNAL', message: 'No method counter.lost' })
    await assert.rejects(client.service<Counter>('nobody').add(1), {
      code: 'INTERNAL',
      message: 'No method nobody.add',
    })
  })

  it('with something that cannot be cloned, there or back, fails and harms no other', async (t) => {
    const { counter } = connect(t)
    await assert.rejects(async () => counter.echo(() => 1), /could not be cloned/)
    await assert.rejects(counter.giveFunction(), { code: 'INTERNAL', message: /could not be cloned/ })
    assert.equal(await counter.add(1), 1)
  })

  it('does not make a service look like a promise', async (t) => {
    const { counter } = connect(t)
    assert.equal(await (await Promise.resolve(counter)).add(4), 4)
  })
})

describe('when the port closes', () => {
  for (const side of ['here', 'there'] as const) {
    it(`${side}, calls under way and later ones fail`, async (t) => {
      const { client, counter, port } = connect(t)
      const underWay = assert.rejects(counter.never(), { code: 'STORE_FAILED' })
      await counter.add(1)
      const closed = once(port, 'close')
      if (side === 'here') client.close()
      else port.close()
      await assert.rejects(counter.add(1), { code: 'STORE_FAILED' })
      await Promise.all([underWay, closed])
      await assert.rejects(counter.add(1), { code: 'STORE_FAILED' })
    })
  }
})
