import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { HEADERS_TIMEOUT_MS } from './fetch-limits.ts'
import type { FetchResult } from './fetch-result.ts'
import { fetchFromStalledServer, get, getFailure, openClient, serveRaw } from './testing/test-client.ts'

/** Less than the timeout of any step of a request. */
const TIMEOUT_MS = 8_000

/** Lets a server misbehave until it calls `enough`, then advances the clock past the timeout. */
async function fetchUntilTimeout(
  t: TestContext,
  misbehave: (socket: Socket, enough: () => void) => void,
): Promise<FetchResult> {
  const clock = new ManualClock()
  let enough: () => void = () => undefined
  const seen = new Promise<void>((resolve) => (enough = resolve))
  const site = await serveRaw(t, (socket) => misbehave(socket, enough))
  const result = get(openClient(t, { timeoutMs: TIMEOUT_MS }, clock), `${site.origin}/`)
  await seen
  clock.advance(TIMEOUT_MS)
  return await result
}

function drip(socket: Socket, part: string, enough: () => void): void {
  let count = 0
  const timer = setInterval(() => {
    socket.write(part)
    count += 1
    if (count === 10) enough()
  }, 1)
  socket.on('close', () => clearInterval(timer))
}

describe('the request times out', () => {
  const servers: Record<string, (socket: Socket, enough: () => void) => void> = {
    'while a server never responds': (_socket, enough) => enough(),
    'while a body is fast enough, but never ends': (socket, enough) => {
      socket.write(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(TIMEOUT_MS)}`)
      drip(socket, 'x', enough)
    },
    'while the headers trickle in': (socket, enough) => drip(socket, 'HTTP/1.1 200 OK\r\nX-A:', enough),
    'while nothing comes after early hints': (socket, enough) => {
      socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(16))
      enough()
    },
    'while a status line never ends': (socket, enough) => {
      socket.write('HTTP/1.1 200 ')
      drip(socket, 'OK'.repeat(1000), enough)
    },
  }
  for (const [name, misbehave] of Object.entries(servers)) {
    it(name, async (t) => {
      const result = await fetchUntilTimeout(t, misbehave)
      assert.equal(result.kind === 'failure' && result.problem, 'timeout')
      assert.equal(result.fetchMs, TIMEOUT_MS)
    })
  }

  it('when its lease expires, including extensions', async (t) => {
    const clock = new ManualClock()
    const seen = Promise.withResolvers<void>()
    const site = await serveRaw(t, () => seen.resolve())
    const client = openClient(t, { timeoutMs: TIMEOUT_MS }, clock)
    const deadline = { endDeadline: clock.now() + 3_000 }
    const result = new Promise<FetchResult>((resolve) => client.fetch(`${site.origin}/`, resolve, undefined, deadline))
    await seen.promise
    deadline.endDeadline += 3_000
    clock.advance(TIMEOUT_MS)
    const { kind, fetchMs } = await result
    assert.deepEqual([kind, fetchMs], ['failure', 6_000])
  })

  it('not before its timeout', async (t) => {
    const clock = new ManualClock()
    const site = await serveRaw(t, (socket) => {
      clock.advance(TIMEOUT_MS - 1)
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage')
    })
    const result = await get(openClient(t, { timeoutMs: TIMEOUT_MS }, clock), `${site.origin}/`)
    assert.deepEqual([result.kind, result.fetchMs], ['response', TIMEOUT_MS - 1])
  })

  it('while it waits for a free connection', async (t) => {
    const clock = new ManualClock()
    let requests = 0
    const requested = Promise.withResolvers<void>()
    const site = await serveRaw(t, () => {
      requests += 1
      requested.resolve()
    })
    const client = openClient(t, { timeoutMs: TIMEOUT_MS }, clock)
    const results = [get(client, `${site.origin}/1`), get(client, `${site.origin}/2`)]
    await requested.promise
    clock.advance(TIMEOUT_MS)
    for (const result of await Promise.all(results)) {
      assert.equal(result.kind === 'failure' && result.problem, 'timeout')
    }
    assert.equal(requests, 1)
  })
})

describe('the sweep timer', () => {
  it('stays a single one, even if callbacks start new requests at once', async (t) => {
    const clock = new ManualClock()
    let timers = 0
    const counting = {
      now: () => clock.now(),
      after(delayMs: number, callback: () => void) {
        timers += delayMs === 250 ? 1 : 0
        return clock.after(delayMs, callback)
      },
    }
    const site = await serveRaw(t, () => undefined)
    const client = openClient(t, { timeoutMs: 1000, connectionsPerOrigin: 4 }, counting)
    let left = 10
    const askAgain = () => {
      if (left-- > 0) client.fetch(`${site.origin}/`, askAgain)
    }
    askAgain()
    clock.advance(20_000)
    assert.ok(left < 0)
    assert.ok(timers <= 20_000 / 250, `${timers} in eighty turns`)
  })
})

describe('a step that takes too long has its own problem', () => {
  const MUST_BE_OVER_MS = 20_000

  it('headers', async (t) => {
    const clock = new ManualClock()
    const requested = Promise.withResolvers<void>()
    const site = await serveRaw(t, () => requested.resolve())
    const failure = getFailure(openClient(t, {}, clock), `${site.origin}/`)
    await requested.promise
    clock.advance(MUST_BE_OVER_MS)
    const { problem, fetchMs } = await failure
    assert.deepEqual([problem, fetchMs], ['headers_timeout', HEADERS_TIMEOUT_MS])
  })

  it('body', async (t) => {
    const clock = new ManualClock()
    const site = await serveRaw(t, (socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n${'x'.repeat(50_000)}`),
    )
    const result = await fetchFromStalledServer(t, clock, `${site.origin}/`)
    assert.equal(result.kind === 'failure' && result.problem, 'body_timeout')
    assert.ok(result.fetchMs >= 15_000 && result.fetchMs < MUST_BE_OVER_MS, `${result.fetchMs} ms`)
  })

  it('connection, here a handshake without a response', async (t) => {
    const clock = new ManualClock()
    const dialled = Promise.withResolvers<void>()
    const site = await serveRaw(t, () => dialled.resolve())
    const failure = getFailure(openClient(t, {}, clock), `https://127.0.0.1:${site.port}/`)
    await dialled.promise
    clock.advance(MUST_BE_OVER_MS)
    const { problem, fetchMs } = await failure
    assert.deepEqual([problem, fetchMs], ['connect_timeout', 9_000])
  })
})
