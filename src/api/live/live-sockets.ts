// WebSockets of the API: /api/v1/crawls/{crawl_id}/ws?interval_ms=2000 sends the progress of a crawl until it ends.
// Authorized like requests, with the same error messages.

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
  /** Throws an AppError if the client may not read. */
  authorise(request: IncomingMessage): Promise<AuthResult>
  /** Identity for the log, also of rejected requests. */
  clientIdentityOf(request: IncomingMessage): ClientIdentity
  streamLimiter: StreamLimiter
  clock: Clock
  log: Log
}

export interface LiveSocketSettings {
  maxSockets: number
}

export interface LiveSockets {
  /** Asks all clients to disconnect, and terminates any connection that stays open. */
  close(): Promise<void>
  metrics(): Metric[]
}

const LIVE_SOCKET_DEFAULTS: LiveSocketSettings = { maxSockets: 1000 }

const PATH = /^\/api\/v1\/crawls\/([^/]{1,64})\/ws$/
const INTERVAL = { default: 2000, min: 250, max: 60_000 }
const PING_MS = 30_000
const AUTHORISE_MS = 10_000
const CLOSE_TIMEOUT_MS = 1000
/** Clients have nothing to send. */
const MAX_MESSAGE_BYTES = 1024

export function attachLiveSockets(
  server: Server,
  dependencies: LiveSocketDependencies,
  settings: LiveSocketSettings = LIVE_SOCKET_DEFAULTS,
): LiveSockets {
  const sockets = new Map<LiveSocket, AuthResult>()
  const acceptor = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false })
  let isClosing = false
  let skipped = 0

  const open = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const subscription = parseSubscription(request)
    const authResult = await dependencies.authorise(request)
    if (isClosing) throw new AppError('SERVER_AWAY', 'The server is stopping.')
    if (sockets.size >= settings.maxSockets) {
      const message = `The limit of ${settings.maxSockets} open sockets is reached. Try again later.`
      throw new RequestError('RATE_LIMITED', message, { headers: { 'retry-after': '10' } })
    }
    socket.once('close', dependencies.streamLimiter.acquire(authResult))
    acceptor.handleUpgrade(request, socket, head, (peer) => {
      const live = new LiveSocket(peer, dependencies.feed, subscription)
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
    const cancel = dependencies.clock.after(AUTHORISE_MS, drop)
    open(request, socket, head)
      .catch((error: unknown) => {
        const { code, message } = asAppError(error)
        if (code === 'INTERNAL') dependencies.log.error('socket failed', { message })
        else logRejection(request, code)
        rejectUpgrade(socket, error)
      })
      .finally(cancel)
  }

  const logRejection = (request: IncomingMessage, code: ErrorCode): void => {
    const { tokenId, address } = dependencies.clientIdentityOf(request)
    const client = { token_id: tokenId, client: address }
    dependencies.log.audit('socket rejected', { code, status: ERRORS[code].http, ...client })
  }

  const ping = (): void => {
    for (const [socket, authResult] of sockets) {
      socket.checkAlive()
      authResult.isStillValid().then(
        (isValid) => isValid || socket.closeRevoked(),
        (error: unknown) => dependencies.log.warn('failed to check a token', { message: asAppError(error).message }),
      )
    }
    cancelPing = dependencies.clock.after(PING_MS, ping)
  }
  let cancelPing = dependencies.clock.after(PING_MS, ping)

  server.on('upgrade', onUpgrade)
  return {
    async close() {
      isClosing = true
      cancelPing()
      for (const socket of sockets.keys()) socket.closeGoingAway()
      const cancel = dependencies.clock.after(CLOSE_TIMEOUT_MS, () => {
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
    { name: 'orbweaver_live_sockets', help: 'Open WebSockets.', type: 'gauge', values: [{ value: open }] },
    {
      name: 'orbweaver_live_skipped_total',
      help: 'Messages skipped because the client was slow.',
      type: 'counter',
      values: [{ value: skipped }],
    },
  ]
}

function parseSubscription({ url = '' }: IncomingMessage): { crawlId: string; intervalMs: number } {
  const [path = '', query = ''] = url.split('?', 2)
  const crawlId = PATH.exec(path)?.[1]
  if (crawlId === undefined) throw new AppError('ROUTE_NOT_FOUND', `There is no WebSocket at ${path}.`)
  const searchParams = new URLSearchParams(query)
  const unknown = [...new Set(searchParams.keys())].filter((name) => name !== 'interval_ms')
  if (unknown.length > 0) {
    const message = 'Unknown parameter.'
    throw invalidFieldsError(
      'BAD_REQUEST',
      unknown.map((name) => ({ field: `query.${name}`, message })),
    )
  }
  const intervalText = searchParams.get('interval_ms')
  const intervalMs = intervalText === null ? INTERVAL.default : Number(intervalText)
  if (!Number.isInteger(intervalMs) || intervalMs < INTERVAL.min || intervalMs > INTERVAL.max) {
    const message = `Must be a whole number from ${INTERVAL.min} to ${INTERVAL.max}.`
    throw invalidFieldsError('BAD_REQUEST', [{ field: 'query.interval_ms', message }])
  }
  // Ids contain no characters that need decoding.
  return { crawlId, intervalMs }
}

/** Resolves when the last client has disconnected. */
function allClosed(acceptor: WebSocketServer): Promise<void> {
  return new Promise((resolve) => {
    acceptor.close(() => resolve())
  })
}
