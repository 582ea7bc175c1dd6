// The servers of a store, and which of them is in use. If a server cannot be used, the next one is tried, starting
// with the one used last. When a connection to another server succeeds, all older connections are closed:
// connections to a machine without power would otherwise hang for half a minute.

import type { Socket } from 'node:net'
import type { StoreServer, StoreUrl } from '../../config/values/store-url.ts'
import type { Queryable } from './query.ts'
import { probeServer, readServerState, type ServerState } from './server-state.ts'
import { isUnavailable, readOnlyError, readStoreUrl } from './store-errors.ts'

const CONNECT_MS = 10_000
/** Connect timeout if there are other servers to try. */
const CONNECT_MS_OF_SEVERAL = 5_000
/** Another server that accepts writes is looked for with new connections, at most this often. */
const PROBE_INTERVAL_MS = 10_000
const PROBE_MS = 2_000

/** Another server is in use than before, under another name or under the same. */
export interface ServerChange {
  server: string
  /** How far the server's clock is ahead of the former server's. */
  clockAheadMs: number
  /** The former primary did not wait for its standby, so the last commits that it acknowledged may be lost. */
  mayLackCommits: boolean
}

export class Servers {
  readonly connectTimeoutMs: number
  readonly #storeUrl: StoreUrl
  readonly #onChange: (change: ServerChange) => void
  #current: StoreServer
  #lastUsed: { server: StoreServer; state: ServerState | null } | null = null
  /** Number of times the current server was left for the next one. */
  #moves = 0
  readonly #sockets = new Map<StoreServer, Set<Socket>>()
  /** The highest timeline seen, by system identifier. */
  readonly #newest = new Map<string, number>()
  readonly #problems = new Map<StoreServer, string>()
  #probe: { at: number; done: Promise<void> } | null = null

  constructor(url: string, onChange: (change: ServerChange) => void = () => undefined) {
    this.#storeUrl = readStoreUrl(url)
    this.#onChange = onChange
    const [first] = this.#storeUrl.servers
    if (first === undefined) throw new Error('A store URL has at least one server.')
    this.#current = first
    const { servers, connectTimeoutMs } = this.#storeUrl
    this.connectTimeoutMs = connectTimeoutMs ?? (servers.length > 1 ? CONNECT_MS_OF_SEVERAL : CONNECT_MS)
  }

  get current(): StoreServer {
    return this.#current
  }

  /** Connects to the current server or, if it cannot be used, to the others in turn. */
  async connectInTurn<T>(connect: () => Promise<T>): Promise<T> {
    const { servers } = this.#storeUrl
    for (let tries = 1; ; tries++) {
      const moves = this.#moves
      try {
        return await connect()
      } catch (error) {
        // The current server was not left, so another one would not help.
        if (this.#moves === moves) throw error
        if (tries >= servers.length) throw this.#explain(error)
      }
    }
  }

  /** Rejects a server that does not have the role or is behind another one. Returns null if any server will do. */
  async check(server: StoreServer, db: Queryable, isWriting: boolean): Promise<ServerState | null> {
    const { role, servers } = this.#storeUrl
    if (!isWriting && servers.length === 1) return null
    const state = await readServerState(db)
    if (role !== 'any' && state.isStandby) throw readOnlyError(`${server.name} is a standby`)
    // Connections of readers are read-only because they ask for it.
    if (role === 'read-write' && isWriting && state.isReadOnly) throw readOnlyError(`${server.name} is read-only`)
    this.#recordTimeline(state)
    if (servers.length > 1) {
      const probed = this.#probeOthers(server, state)
      // Next to other connections to this server, the result need not be waited for.
      if (this.#socketsOf(server).size === 0) await probed
    }
    const newest = this.#newerTimeline(state)
    if (newest !== null) {
      const number = state.timeline?.number
      throw readOnlyError(`${server.name} is a former primary, on timeline ${number} instead of ${newest}`)
    }
    return state
  }

  /** The connection is open, and the server was checked. */
  accept(server: StoreServer, state: ServerState | null, socket: Socket): void {
    const sockets = this.#socketsOf(server).add(socket)
    socket.once('close', () => sockets.delete(socket))
    this.#current = server
    this.#problems.clear()
    const before = this.#lastUsed
    this.#lastUsed = { server, state }
    if (before === null) return
    const isPromoted = state !== null && isPromotedSince(before.state, state)
    if (before.server === server && !isPromoted) return
    this.#onChange({
      server: server.name,
      clockAheadMs: Math.round((state?.clockAheadMs ?? 0) - (before.state?.clockAheadMs ?? 0)),
      mayLackCommits: isPromoted && before.state?.isSynchronous === false,
    })
    for (const other of this.#storeUrl.servers) if (other !== server) this.#disconnect(other)
  }

  /** Reads the state of the server in use again: a standby may have come or gone. Throws if the connection is dead. */
  async refreshState(db: Queryable): Promise<void> {
    const used = this.#lastUsed
    const state = await readServerState(db)
    if (used !== null && this.#lastUsed === used) this.#lastUsed = { ...used, state }
  }

  /** A connection to this server failed. */
  reject(server: StoreServer, error: unknown): void {
    const { servers } = this.#storeUrl
    if (servers.length === 1 || !isUnavailable(error)) return
    const text = error instanceof Error ? error.message : String(error)
    this.#problems.set(server, text.includes(server.name) ? text : `${server.name}: ${text}`)
    if (this.#current !== server) return
    this.#moves += 1
    this.#current = servers[(servers.indexOf(server) + 1) % servers.length] ?? server
  }

  #recordTimeline({ timeline }: ServerState): void {
    if (timeline === null) return
    this.#newest.set(timeline.system, Math.max(timeline.number, this.#newest.get(timeline.system) ?? 0))
  }

  /** The newest timeline, if this server is not on it. */
  #newerTimeline({ timeline }: ServerState): number | null {
    const newest = this.#newest.get(timeline?.system ?? '')
    return timeline === null || newest === undefined || newest === timeline.number ? null : newest
  }

  /**
   * A former primary that was started again accepts writes too, and may be the first in the list. A primary that was
   * cut off from its standby still has connections, but its commits hang.
   */
  #probeOthers(server: StoreServer, state: ServerState): Promise<void> {
    const now = performance.now()
    if (this.#probe !== null && now - this.#probe.at < PROBE_INTERVAL_MS) return this.#probe.done
    const others = this.#storeUrl.servers.filter((other) => other !== server)
    const timeoutMs = Math.min(PROBE_MS, this.connectTimeoutMs / 2)
    const states = Promise.all(others.map((other) => probeServer(other, timeoutMs)))
    const done = states.then((found) => {
      for (const other of found) if (other !== null) this.#recordTimeline(other)
      if (this.#newerTimeline(state) !== null) this.#disconnect(server)
    })
    this.#probe = { at: now, done }
    return done
  }

  #socketsOf(server: StoreServer): Set<Socket> {
    const sockets = this.#sockets.get(server) ?? new Set()
    this.#sockets.set(server, sockets)
    return sockets
  }

  #disconnect(server: StoreServer): void {
    for (const socket of this.#socketsOf(server)) socket.destroy()
  }

  #explain(error: unknown): Error {
    const message = [...this.#problems.values()].join('; ')
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return Object.assign(new Error(message, { cause: error }), code === undefined ? {} : { code })
  }
}

function isPromotedSince(before: ServerState | null, { timeline }: Pick<ServerState, 'timeline'>): boolean {
  const former = before?.timeline ?? null
  return former !== null && timeline !== null && timeline.system === former.system && timeline.number > former.number
}
