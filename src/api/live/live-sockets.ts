// WebSockets on the server of the API: /api/v1/crawls/{crawl_id}/ws?interval_ms=2000 tells the progress of a crawl until
// it has ended. Under the same guard as requests, and the same sentence when it says no.

import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Clock } from '../../lib/clock.ts'
import { AppError, asAppError, ERRORS, type ErrorCode } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { Metric } from '../../lib/metrics.ts'
import type { AuthResult, ClientIdentity } from '../auth/request-guard.ts'
import type { StreamLimiter } from '../auth/stream-limiter.ts'
import { invalidFieldsError, RequestError } from '../requests/request-error.ts'
import { LiveSocket } from './live-socket.ts'
import type { ProgressFeed } from './progress-feed.ts'
import { rejectUpgrade } from './reject-upgrade.ts'

export interface LiveSocketDependencies {
  feed: ProgressFeed
  /** Throws an AppError when the caller may not read. */
  authorise(request: IncomingMessage): Promise<AuthResult>
  /** For the log, also of those who are refused. */
  clientIdentityOf(request: IncomingMessage): ClientIdentity
  streamLimiter: StreamLimiter
  clock: Clock
  log: Log
}

export interface LiveSocketSettings {
  maxSockets: number
}

export interface LiveSockets {
  /** Tells all peers to go, and cuts off those that do not. */
  close(): Promise<void>
  metrics(): Metric[]
}

export const LIVE_SOCKET_DEFAULTS: LiveSocketSettings = { maxSockets: 1000 }

const PATH = /^\/api\/v1\/crawls\/([^/]{1,64})\/ws$/
const INTERVAL = { default: 2000, min: 250, max: 60_000 }
const PING_MS = 30_000
const AUTHORISE_MS = 10_000
const CLOSE_TIMEOUT_MS = 1000
/** Peers have nothing to say. */
const MAX_MESSAGE_BYTES = 1024

export function attachLiveSockets(
  server: Server,
  parts: LiveSocketDependencies,
  settings: LiveSocketSettings = LIVE_SOCKET_DEFAULTS,
): LiveSockets {
  const sockets = new Map<LiveSocket, AuthResult>()
  const acceptor = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false })
  let isClosing = false
  let skipped = 0

  const open = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const wish = parseSubscription(request)
    const authResult = await parts.authorise(request)
    if (isClosing) throw new AppError('SERVER_AWAY', 'The server is about to stop.')
    if (sockets.size >= settings.maxSockets) {
      throw new RequestError(
        'RATE_LIMITED',
        `${settings.maxSockets} sockets are open, which is the most; try again later.`,
        {
          headers: { 'retry-after': '10' },
        },
      )
    }
    socket.once('close', parts.streamLimiter.acquire(authResult))
    acceptor.handleUpgrade(request, socket, head, (peer) => {
      const live = new LiveSocket(peer, parts.feed, wish)
      sockets.set(live, authResult)
      peer.on('close', () => {
        sockets.delete(live)
        skipped += live.skipped
      })
    })
  }

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const drop = () => socket.destroy()
    socket.on('error', drop)
    const cancel = parts.clock.after(AUTHORISE_MS, drop)
    open(request, socket, head)
      .catch((error: unknown) => {
        const { code, message } = asAppError(error)
        if (code === 'INTERNAL') parts.log.error('socket failed', { message })
        else logRefusal(request, code)
        rejectUpgrade(socket, error)
      })
      .finally(cancel)
  }

  const logRefusal = (request: IncomingMessage, code: ErrorCode): void => {
    const { tokenId, address } = parts.clientIdentityOf(request)
    const sentBy = { token_id: tokenId, client: address }
    parts.log.audit('socket refused', { code, status: ERRORS[code].http, ...sentBy })
  }

  const ping = (): void => {
    for (const [socket, pass] of sockets) {
      socket.checkAlive()
      pass.isStillValid().then(
        (isGood) => isGood || socket.closeRevoked(),
        (error: unknown) => parts.log.warn('token not checked', { message: asAppError(error).message }),
      )
    }
    cancelPing = parts.clock.after(PING_MS, ping)
  }
  let cancelPing = parts.clock.after(PING_MS, ping)

  server.on('upgrade', onUpgrade)
  return {
    async close() {
      isClosing = true
      cancelPing()
      for (const socket of sockets.keys()) socket.closeGoingAway()
      const cancel = parts.clock.after(CLOSE_TIMEOUT_MS, () => {
        for (const socket of sockets.keys()) socket.terminate()
      })
      await allClosed(acceptor)
      cancel()
      server.off('upgrade', onUpgrade)
    },
    metrics: () =>
      socketMetrics(
        sockets.size,
        [...sockets.keys()].reduce((sum, socket) => sum + socket.skipped, skipped),
      ),
  }
}

function socketMetrics(open: number, skipped: number): Metric[] {
  return [
    { name: 'orbweaver_live_sockets', help: 'WebSockets open.', type: 'gauge', values: [{ value: open }] },
    {
      name: 'orbweaver_live_skipped_total',
      help: 'Messages left out because their peer was slow.',
      type: 'counter',
      values: [{ value: skipped }],
    },
  ]
}

function parseSubscription({ url = '' }: IncomingMessage): { crawlId: string; intervalMs: number } {
  const [path = '', query = ''] = url.split('?', 2)
  const crawlId = PATH.exec(path)?.[1]
  if (crawlId === undefined) throw new AppError('ROUTE_NOT_FOUND', `There is no socket at ${path}.`)
  const searchParams = new URLSearchParams(query)
  const unknown = [...new Set(searchParams.keys())].filter((name) => name !== 'interval_ms')
  if (unknown.length > 0) {
    const message = 'There is no such parameter.'
    throw invalidFieldsError(
      'BAD_REQUEST',
      unknown.map((name) => ({ field: `query.${name}`, message })),
    )
  }
  const given = searchParams.get('interval_ms')
  const intervalMs = given === null ? INTERVAL.default : Number(given)
  if (!Number.isInteger(intervalMs) || intervalMs < INTERVAL.min || intervalMs > INTERVAL.max) {
    const message = `It must be a whole number from ${INTERVAL.min} to ${INTERVAL.max}.`
    throw invalidFieldsError('BAD_REQUEST', [{ field: 'query.interval_ms', message }])
  }
  // No id has a character that would have to be encoded.
  return { crawlId, intervalMs }
}

/** Resolves when the last peer has gone. */
function allClosed(acceptor: WebSocketServer): Promise<void> {
  return new Promise((resolve) => {
    acceptor.close(() => resolve())
  })
}
