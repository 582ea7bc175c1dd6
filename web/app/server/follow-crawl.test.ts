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

/** A follower of the real socket; its timers wait until the test lets them go. */
function follow() {
  const heard: string[] = []
  const links: LiveTransport[] = []
  const timers = new Map<() => void, number>()
  let changed = Promise.withResolvers<void>()
  const note = (): void => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await changed.promise
  }
  const stop = followCrawl({
    openSocket: () => new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`),
    poll: async () => progress('running', 99),
    random: () => 0.5,
    after: (ms, run) => {
      timers.set(run, ms)
      note()
      return () => timers.delete(run)
    },
    onProgress: ({ status, total }) => {
      heard.push(`${status} ${total}`)
      note()
    },
    onLink: (liveTransport) => {
      links.push(liveTransport)
      note()
    },
  })
  const letGo = (isPoll: boolean): void => {
    for (const [run, ms] of [...timers]) {
      if ((ms === POLL_INTERVAL_MS) !== isPoll) continue
      timers.delete(run)
      run()
    }
  }
  return { heard, links, timers, until, stop, letGo }
}

async function nextSocket(): Promise<ServerSocket> {
  const [socket] = (await once(server, 'connection')) as [ServerSocket]
  return socket
}

test('progress comes as it is told, and the end of the crawl ends the link', async () => {
  const connected = nextSocket()
  const follower = follow()
  const socket = await connected
  socket.send(JSON.stringify(progress('running', 1)))
  socket.send(JSON.stringify(progress('completed', 2)))
  await once(socket, 'close')
  assert.deepEqual(follower.heard, ['running 1', 'completed 2'])
  assert.equal(follower.timers.size, 0)
})

test('a link that breaks is polled meanwhile and made again', async () => {
  const connected = nextSocket()
  const follower = follow()
  const socket = await connected
  socket.send(JSON.stringify(progress('running', 1)))
  await follower.until(() => follower.heard.length === 1)
  socket.close(1001)
  await follower.until(() => follower.timers.size === 2)
  assert.equal(follower.links.at(-1), 'polling')

  follower.letGo(true)
  await follower.until(() => follower.heard.includes('running 99'))

  const again = nextSocket()
  follower.letGo(false)
  const second = await again
  second.send(JSON.stringify(progress('running', 3)))
  await follower.until(() => follower.heard.includes('running 3'))
  assert.equal(follower.links.at(-1), 'socket')
  assert.equal(follower.timers.size, 0)
  follower.stop()
})

test('a message that is no progress is left alone', async () => {
  const connected = nextSocket()
  const follower = follow()
  const socket = await connected
  socket.send('{"error":"Crawl not found"}')
  socket.send(JSON.stringify(progress('running', 7)))
  await follower.until(() => follower.heard.length > 0)
  assert.deepEqual(follower.heard, ['running 7'])
  follower.stop()
})

test('tries come later each time, within bounds, and not all at once', () => {
  assert.deepEqual(
    [0, 1, 2, 5, 20].map((failures) => retryDelayMs(failures, 1)),
    [500, 1000, 2000, 15_000, 15_000],
  )
  assert.equal(retryDelayMs(20, 0), 7500)
})
