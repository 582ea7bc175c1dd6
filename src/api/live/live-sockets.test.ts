import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { WebSocket } from 'ws'
import { AppError } from '../../lib/errors.ts'
import { createLog, type LogFields, silentLog } from '../../lib/log.ts'
import { foundUrl, TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import { makeTestStore } from '../../store/testing/sqlite-test-store.ts'
import type { ClientIdentity } from '../auth/request-guard.ts'
import { StreamLimiter } from '../auth/stream-limiter.ts'
import { CrawlRates } from '../background/crawl-rates.ts'
import { CrawlProgress } from '../contract/crawls.ts'
import { type ProgressJson, ProgressView } from '../views/progress-view.ts'
import { attachLiveSockets, type LiveSocketDependencies, type LiveSockets } from './live-sockets.ts'
import { ProgressFeed } from './progress-feed.ts'
import { notifyingControl, notifyingCrawls, StatusNotifier } from './status-notifier.ts'

/** Reads the messages of a socket one by one. */
class Peer {
  readonly socket: WebSocket
  readonly closed: Promise<number>
  readonly #messages: string[] = []
  #wake: () => void = () => undefined

  constructor(url: string, options = {}) {
    this.socket = new WebSocket(url, options)
    this.socket.on('message', (data) => {
      this.#messages.push(String(data))
      this.#wake()
    })
    // A socket that is rejected, or closed before it is open, emits an error.
    this.socket.on('error', () => undefined)
    this.closed = new Promise((resolve) => this.socket.on('close', resolve))
  }

  get unread(): number {
    return this.#messages.length
  }

  async next(): Promise<ProgressJson> {
    while (this.#messages.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return JSON.parse(this.#messages.shift() ?? '') as ProgressJson
  }
}

describe('live sockets', () => {
  let store: ReturnType<typeof makeTestStore>
  let server: ReturnType<typeof createServer>
  let progressFeed: ProgressFeed
  let liveSockets: LiveSockets
  let base: string
  let reads: number
  /** Makes messages longer. */
  let padding: string
  let peers: Peer[]
  let authorise: LiveSocketDependencies['authorise']
  let isStillValid: () => Promise<boolean>
  let sender: ClientIdentity | null
  let lines: LogFields[]

  beforeEach(async () => {
    store = makeTestStore({ leaseMs: 30_000, random: () => 0.5 })
    const { crawls, workers, clock } = store
    const progressView = new ProgressView({
      workers,
      clock,
      rates: new CrawlRates({ crawls, clock, log: silentLog }),
      localHoldReason: () => null,
    })
    reads = 0
    padding = ''
    peers = []
    lines = []
    sender = null
    isStillValid = async () => true
    // Every socket belongs to another token, unless a test sets `sender`.
    let callers = 0
    authorise = async () => {
      callers += 1
      const identity = sender ?? { tokenId: `t${callers}`, address: '127.0.0.1' }
      return { ...identity, scope: 'read', baseUrl: '', isStillValid: () => isStillValid() }
    }
    const progress = (crawlId: string) => {
      reads += 1
      return crawls.progress(crawlId)
    }
    const toJson: ProgressView['progressJson'] = async (at) => {
      const json = await progressView.progressJson(at)
      return padding === '' ? json : { ...json, held: padding }
    }
    progressFeed = new ProgressFeed({ crawls: { progress }, toJson, clock, log: silentLog })
    server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    liveSockets = attachLiveSockets(
      server,
      {
        feed: progressFeed,
        clock,
        log: createLog((_level, event, logFields) => lines.push({ event, ...logFields })),
        authorise: (request: IncomingMessage) => authorise(request),
        clientIdentityOf: () => sender ?? { tokenId: null, address: '127.0.0.1' },
        streamLimiter: new StreamLimiter(2),
      },
      { maxSockets: 3 },
    )
    base = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/crawls`
  })

  afterEach(async () => {
    for (const { socket } of peers) socket.terminate()
    await liveSockets.close()
    progressFeed.close()
    server.close()
    server.closeAllConnections()
    await store.close()
  })

  const create = () => store.crawls.create({ seeds: [foundUrl('a/')], settings: TEST_SETTINGS, keySeed: 1 })
  const watch = (crawlId: string, query = '', options = {}) => {
    const peer = new Peer(`${base}/${crawlId}/ws${query}`, options)
    peers.push(peer)
    return peer
  }
  /** Advances the clock by one poll at a time and lets pending work run. */
  const pass = async (ms: number) => {
    for (let i = 0; i < ms; i += 250) {
      store.clock.advance(250)
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const rejectionOf = async (peer: Peer) => {
    const [, response] = (await once(peer.socket, 'unexpected-response')) as [unknown, IncomingMessage]
    let body = ''
    for await (const chunk of response) body += chunk
    return [response.statusCode, (JSON.parse(body) as { code: string }).code]
  }

  it('are limited per token, and rejected clients are logged', async () => {
    const { id } = await create()
    sender = { tokenId: 't1', address: '10.0.0.1' }
    const open = [watch(id), watch(id)]
    for (const peer of open) await peer.next()
    await watch(id).closed
    assert.deepEqual(lines, [
      { event: 'socket rejected', code: 'RATE_LIMITED', status: 429, token_id: 't1', client: '10.0.0.1' },
    ])
    sender = { tokenId: 't2', address: '10.0.0.1' }
    const other = watch(id)
    await other.next()
    for (const { socket } of [...open, other]) socket.terminate()
    for (const { closed } of [...open, other]) await closed
    // The server notices the close a moment later.
    sender = { tokenId: 't1', address: '10.0.0.1' }
    for (let peer = watch(id), isOpen = false; !isOpen; peer = watch(id)) {
      isOpen = await Promise.race([peer.next().then(() => true), peer.closed.then(() => false)])
    }
  })

  it('send the progress immediately and every two seconds', async () => {
    const { id } = await create()
    const peer = watch(id)
    const first = await peer.next()
    assert.equal(CrawlProgress.parse(first).crawl_id, id)
    assert.deepEqual([first.status, first.total, first.pending], ['running', 1, 1])
    await pass(1500)
    assert.equal(peer.unread, 0)
    await pass(500)
    assert.equal((await peer.next()).status, 'running')
  })

  it('send a status change immediately', async () => {
    const { id } = await create()
    const peer = watch(id, '?interval_ms=60000')
    await peer.next()
    await store.crawls.setPaused(id, true)
    await pass(250)
    assert.equal((await peer.next()).status, 'paused')
  })

  it('send every change of this process, also changes that undo each other', async () => {
    const { id } = await create()
    const peer = watch(id, '?interval_ms=60000')
    await peer.next()
    const changes = new StatusNotifier(store.crawls, silentLog)
    changes.addListener(progressFeed)
    const crawls = notifyingCrawls(store.crawls, changes)
    await crawls.setPaused(id, true)
    await crawls.setPaused(id, false)
    assert.equal((await peer.next()).status, 'paused')
    assert.equal((await peer.next()).status, 'running')
    await crawls.close(id, 'cancelled')
    assert.equal((await peer.next()).status, 'cancelled')
    assert.equal(await peer.closed, 1000)
  })

  it('close when the watched crawl is removed', async () => {
    const { id } = await create()
    await store.crawls.setPaused(id, true)
    const peer = watch(id)
    await peer.next()
    const changes = new StatusNotifier(store.crawls, silentLog)
    changes.addListener(progressFeed)
    await notifyingControl(store.control, changes).remove(id)
    assert.deepEqual(await peer.next(), { error: 'Crawl not found' })
    assert.equal(await peer.closed, 1000)
  })

  it('send a last message when the crawl ends, and close', async () => {
    const { id } = await create()
    const peer = watch(id)
    await peer.next()
    await store.crawls.close(id, 'cancelled')
    await pass(250)
    assert.equal((await peer.next()).status, 'cancelled')
    assert.equal(await peer.closed, 1000)
    const late = watch(id)
    assert.equal((await late.next()).status, 'cancelled')
    assert.equal(await late.closed, 1000)
  })

  it('report an unknown crawl, and close', async () => {
    const peer = watch('nothing')
    assert.deepEqual(await peer.next(), { error: 'Crawl not found' })
    assert.equal(await peer.closed, 1000)
  })

  it('share one read among all watchers of a crawl', async () => {
    const { id } = await create()
    const watching = [watch(id, '?interval_ms=250'), watch(id, '?interval_ms=250'), watch(id, '?interval_ms=250')]
    for (const peer of watching) await peer.next()
    reads = 0
    await pass(1000)
    assert.ok(reads <= 4, String(reads))
    for (const peer of watching) await peer.next()
  })

  it('skip messages to a slow client without delaying others', async () => {
    const { id } = await create()
    const [slow, fast] = [watch(id, '?interval_ms=250'), watch(id, '?interval_ms=250')]
    await Promise.all([slow.next(), fast.next()])
    slow.socket.pause()
    padding = 'x'.repeat(2_000_000)
    for (let i = 0; i < 20; i++) {
      await pass(250)
      await fast.next()
    }
    const [open, skipped] = liveSockets.metrics().map(({ values }) => (values[0] as { value: number }).value)
    assert.equal(open, 2)
    assert.ok((skipped ?? 0) > 0)
  })

  it('disconnect a client that does not respond', async () => {
    const { id } = await create()
    const [dead, alive] = [watch(id, '', { autoPong: false }), watch(id)]
    await Promise.all([dead.next(), alive.next()])
    const pinged = once(alive.socket, 'ping')
    store.clock.advance(30_000)
    await pinged
    // The pong is sent to the server before this ping.
    alive.socket.ping()
    await once(alive.socket, 'pong')
    store.clock.advance(30_000)
    assert.equal(await dead.closed, 1006)
    assert.equal(alive.socket.readyState, WebSocket.OPEN)
  })

  it('close when their token is revoked, but not if it cannot be checked', async () => {
    const { id } = await create()
    const peer = watch(id)
    await peer.next()
    isStillValid = async () => {
      throw new AppError('STORE_AWAY', 'The store does not respond.')
    }
    const pinged = once(peer.socket, 'ping')
    store.clock.advance(30_000)
    await pinged
    peer.socket.ping()
    await once(peer.socket, 'pong')
    isStillValid = async () => false
    store.clock.advance(30_000)
    assert.equal(await peer.closed, 1008)
  })

  it('are rejected by the guard with an HTTP response', async () => {
    authorise = async () => {
      throw new AppError('TOKEN_MISSING', 'This server requires a token.')
    }
    assert.deepEqual(await rejectionOf(watch('a')), [401, 'TOKEN_MISSING'])
  })

  it('reject an invalid interval, an unknown path and too many sockets', async () => {
    const { id } = await create()
    for (const interval of ['249', '60001', 'x', '1.5']) {
      assert.deepEqual(await rejectionOf(watch(id, `?interval_ms=${interval}`)), [400, 'BAD_REQUEST'])
    }
    assert.deepEqual(await rejectionOf(watch(id, '?interval=500')), [400, 'BAD_REQUEST'])
    for (const path of [`${id}/more`, '%zz/more', '/'])
      assert.deepEqual(await rejectionOf(watch(path)), [404, 'ROUTE_NOT_FOUND'])
    for (const peer of [watch(id), watch(id), watch(id)]) await peer.next()
    assert.deepEqual(await rejectionOf(watch(id)), [429, 'RATE_LIMITED'])
  })

  it('are closed when the server stops', async () => {
    const { id } = await create()
    const peer = watch(id)
    await peer.next()
    await liveSockets.close()
    assert.equal(await peer.closed, 1001)
  })
})
