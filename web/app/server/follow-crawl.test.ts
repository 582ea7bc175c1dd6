import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws'
import type { CrawlProgress } from './api.ts'
import { followCrawl, type LiveTransport, POLL_INTERVAL_MS, retryDelayMs } from './follow-crawl.ts'

const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
await once(server, 'listening')
after(() => server.close())

const progress = (status: string, total: number) =>
  ({ crawl_id: 'c1', status, total, states: {} }) as unknown as CrawlProgress

/** Follows a real socket with timers that only the test fires. */
function follow() {
  const received: string[] = []
  const transports: LiveTransport[] = []
  const timers = new Map<() => void, number>()
  let changed = Promise.withResolvers<void>()
  const notifyChange = (): void => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  const waitFor = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await changed.promise
  }
  const stop = followCrawl({
    openSocket: () => new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`),
    poll: async () => progress('running', 99),
    random: () => 0.5,
    after: (ms, run) => {
      timers.set(run, ms)
      notifyChange()
      return () => timers.delete(run)
    },
    onProgress: ({ status, total }) => {
      received.push(`${status} ${total}`)
      notifyChange()
    },
    onTransport: (liveTransport) => {
      transports.push(liveTransport)
      notifyChange()
    },
  })
  const fireTimers = (isPoll: boolean): void => {
    for (const [run, ms] of [...timers]) {
      if ((ms === POLL_INTERVAL_MS) !== isPoll) continue
      timers.delete(run)
      run()
    }
  }
  return { received, transports, timers, waitFor, stop, fireTimers }
}

async function nextSocket(): Promise<ServerSocket> {
  const [socket] = (await once(server, 'connection')) as [ServerSocket]
  return socket
}

test('progress is reported, and the socket closes when the crawl ends', async () => {
  const connected = nextSocket()
  const follower = follow()
  const socket = await connected
  socket.send(JSON.stringify(progress('running', 1)))
  socket.send(JSON.stringify(progress('completed', 2)))
  await once(socket, 'close')
  assert.deepEqual(follower.received, ['running 1', 'completed 2'])
  assert.equal(follower.timers.size, 0)
})

test('a broken socket is replaced by polling until it reconnects', async () => {
  const connected = nextSocket()
  const follower = follow()
  const socket = await connected
  socket.send(JSON.stringify(progress('running', 1)))
  await follower.waitFor(() => follower.received.length === 1)
  socket.close(1001)
  await follower.waitFor(() => follower.timers.size === 2)
  assert.equal(follower.transports.at(-1), 'polling')

  follower.fireTimers(true)
  await follower.waitFor(() => follower.received.includes('running 99'))

  const again = nextSocket()
  follower.fireTimers(false)
  const second = await again
  second.send(JSON.stringify(progress('running', 3)))
  await follower.waitFor(() => follower.received.includes('running 3'))
  assert.equal(follower.transports.at(-1), 'socket')
  assert.equal(follower.timers.size, 0)
  follower.stop()
})

test('a message that is not progress is ignored', async () => {
  const connected = nextSocket()
  const follower = follow()
  const socket = await connected
  socket.send('{"error":"Crawl not found"}')
  socket.send(JSON.stringify(progress('running', 7)))
  await follower.waitFor(() => follower.received.length > 0)
  assert.deepEqual(follower.received, ['running 7'])
  follower.stop()
})

test('reconnects back off up to a limit, with jitter', () => {
  assert.deepEqual(
    [0, 1, 2, 5, 20].map((failures) => retryDelayMs(failures, 1)),
    [500, 1000, 2000, 15_000, 15_000],
  )
  assert.equal(retryDelayMs(20, 0), 7500)
})
