// Real servers on loopback and a client for them, for tests; all are closed when the test ends.

import { createServer, type RequestListener } from 'node:http'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type LookupFunction,
  type Server,
  type Socket,
} from 'node:net'
import type { TestContext } from 'node:test'
import { type Clock, systemClock } from '../../../lib/clock.ts'
import type { ManualClock } from '../../../lib/testing/manual-clock.ts'
import { DNS_DEFAULTS, NameResolver, SYSTEM_SOURCES } from '../../dns/name-resolver.ts'
import { buildAddressGuard } from '../address-guard.ts'
import type { FetchFailure, FetchResponse, FetchResult } from '../fetch-result.ts'
import { type ClientSettings, HttpClient } from '../http-client.ts'

export interface Site {
  server: Server
  port: number
  /** Origin without a trailing slash. */
  origin: string
  /** Connections accepted so far. */
  connections(): number
}

export async function openSite(t: TestContext, server: Server): Promise<Site> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { server, port, origin: `http://127.0.0.1:${port}`, connections: () => connections }
}

export function serveHttp(t: TestContext, listener: RequestListener): Promise<Site> {
  // Long enough that no connection times out on a slow machine.
  return openSite(t, createServer({ keepAliveTimeout: 60_000 }, listener))
}

/** Passes each connection on after its request has arrived. */
export function serveRaw(t: TestContext, answer: (socket: Socket) => void): Promise<Site> {
  const server = createTcpServer((socket) => socket.once('data', () => answer(socket)))
  return openSite(t, server)
}

/** A loopback port without a listener. */
export async function closedPort(): Promise<number> {
  const server = createTcpServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Names resolve as `lookup` says; everything else is unknown. */
export function resolverWith(lookup: LookupFunction): ClientSettings['resolver'] {
  return { asLookupFunction: () => lookup, lookup: () => undefined, peek: () => null, close: () => undefined }
}

const SETTINGS = {
  userAgent: 'Tester/1.0',
  headers: [],
  auth: [],
  jar: null,
  startUrls: [],
  connectionsPerOrigin: 1,
  timeoutMs: 60_000,
  maxBodyBytes: 1_000_000,
  insecure: false,
  sentHeads: 'off' as const,
  proxies: null,
  onProxyChange: () => undefined,
}

export function openClient(
  t: TestContext,
  { allowPrivate = true, ...settings }: Partial<ClientSettings> & { allowPrivate?: boolean } = {},
  clock: Clock = systemClock,
): HttpClient {
  const resolver = new NameResolver(DNS_DEFAULTS, SYSTEM_SOURCES, systemClock)
  const guard = buildAddressGuard({ allowPrivate, allow: [] })
  const client = new HttpClient({ ...SETTINGS, resolver, guard, ...settings }, clock)
  t.after(() => client.close())
  return client
}

export function get(client: HttpClient, url: string): Promise<FetchResult> {
  return new Promise((resolve) => client.fetch(url, resolve))
}

export async function getResponse(client: HttpClient, url: string): Promise<FetchResponse> {
  const result = await get(client, url)
  if (result.kind === 'failure') throw new Error(`${url}: ${result.problem} ${result.detail}`)
  return result
}

export async function getFailure(client: HttpClient, url: string): Promise<FetchFailure> {
  const result = await get(client, url)
  if (result.kind === 'response') throw new Error(`${url}: answered ${result.status} with ${result.body.length} bytes`)
  return result
}

/** The result of a request whose server stalls while other responses arrive and time passes. */
export async function fetchFromStalledServer(t: TestContext, clock: ManualClock, url: string): Promise<FetchResult> {
  const client = openClient(t, {}, clock)
  const other = await serveHttp(t, (_request, response) => response.end())
  const results: FetchResult[] = []
  client.fetch(url, (result) => results.push(result))
  for (;;) {
    const [result] = results
    if (result !== undefined) return result
    await getResponse(client, `${other.origin}/`)
    clock.advance(250)
  }
}
