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

  async reject(): Promise<never> {
    throw new AppError('CRAWL_NOT_FOUND', 'No crawl id starts with "x".')
  }

  throwSynchronously(): never {
    throw new AppError('DISK_FULL', 'No space.')
  }

  async break(): Promise<never> {
    throw new RangeError('out of range')
  }

  async returnFunction(): Promise<unknown> {
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
  it('runs the remote method and returns its value', async (t) => {
    const { client, counter } = connect(t)
    assert.deepEqual(await Promise.all([counter.add(2), counter.add(3), counter.add(5)]), [2, 5, 10])
    assert.deepEqual(await client.service<Counter>('other').echo(1), ['other', 1])
  })

  it('transports everything that can be cloned', async (t) => {
    const { counter } = connect(t)
    const value = { big: 2n ** 63n, none: null, gone: undefined, list: [1, [2]], map: new Map([[1, new Set(['x'])]]) }
    assert.deepEqual(await counter.echo(value), value)
    assert.deepEqual(await counter.echo(new Uint8Array([1, 2])), new Uint8Array([1, 2]))
    assert.equal(await counter.echo(undefined), undefined)
  })

  it('returns an error with its code and message', async (t) => {
    const { counter } = connect(t)
    await assert.rejects(counter.reject(), (error) => {
      assert.ok(error instanceof AppError)
      assert.deepEqual([error.code, error.message], ['CRAWL_NOT_FOUND', 'No crawl id starts with "x".'])
      return true
    })
  })

  it('that throws synchronously returns the error too', async (t) => {
    const { counter } = connect(t)
    await assert.rejects(async () => counter.throwSynchronously(), { code: 'DISK_FULL', message: 'No space.' })
  })

  it('that throws another error returns INTERNAL with its message', async (t) => {
    const { counter } = connect(t)
    await assert.rejects(counter.break(), { code: 'INTERNAL', message: 'out of range' })
  })

  it('to an unknown method or service is an INTERNAL error', async (t) => {
    const { client } = connect(t)
    const counter = client.service<{ missing(): Promise<void> }>('counter')
    await assert.rejects(counter.missing(), { code: 'INTERNAL', message: 'No method counter.missing' })
    await assert.rejects(client.service<Counter>('unknown').add(1), {
      code: 'INTERNAL',
      message: 'No method unknown.add',
    })
  })

  it('with an argument or value that cannot be cloned fails without affecting others', async (t) => {
    const { counter } = connect(t)
    await assert.rejects(async () => counter.echo(() => 1), /could not be cloned/)
    await assert.rejects(counter.returnFunction(), { code: 'INTERNAL', message: /could not be cloned/ })
    assert.equal(await counter.add(1), 1)
  })

  it('does not make a service look like a promise', async (t) => {
    const { counter } = connect(t)
    assert.equal(await (await Promise.resolve(counter)).add(4), 4)
  })
})

describe('when the port closes', () => {
  for (const side of ['on this side', 'on the other side'] as const) {
    it(`${side}, pending and later calls fail`, async (t) => {
      const { client, counter, port } = connect(t)
      const pending = assert.rejects(counter.never(), { code: 'STORE_FAILED' })
      await counter.add(1)
      const closed = once(port, 'close')
      if (side === 'on this side') client.close()
      else port.close()
      await assert.rejects(counter.add(1), { code: 'STORE_FAILED' })
      await Promise.all([pending, closed])
      await assert.rejects(counter.add(1), { code: 'STORE_FAILED' })
    })
  }
})
