// Connections to the server in use. The driver connects one client to one server: another server takes a new client.

import { Socket } from 'node:net'
import pg from 'pg'
import type { ServerState } from './server-state.ts'
import type { Servers } from './servers.ts'

/** Clients of this class connect to the server that is current when they are made, and check it. */
export function makeClientClass(servers: Servers, isWriting: boolean): typeof pg.Client {
  return class extends pg.Client {
    readonly #server = servers.current
    readonly #socket: Socket

    constructor(settings: pg.ClientConfig) {
      const socket = new Socket()
      super({
        ...settings,
        connectionString: servers.current.url,
        connectionTimeoutMillis: servers.connectTimeoutMs,
        stream: () => socket,
      })
      this.#socket = socket
      // The pending statement gets the error, and an idle connection is not used again.
      this.on('error', () => undefined)
    }

    override connect(): Promise<pg.Client>
    override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void
    override connect(callback?: (error: never, client: never) => void): Promise<pg.Client> | undefined {
      const connected = this.#open()
      if (callback === undefined) return connected
      const call = callback as (error: unknown, client?: pg.Client) => void
      connected.then(
        () => call(null, this),
        (error: unknown) => call(error),
      )
      return undefined
    }

    async #open(): Promise<pg.Client> {
      try {
        await super.connect()
        const state = await this.#check()
        servers.accept(this.#server, state, this.#socket)
        return this
      } catch (error) {
        this.#socket.destroy()
        servers.reject(this.#server, error)
        throw error
      }
    }

    async #check(): Promise<ServerState | null> {
      const timer = setTimeout(() => this.#socket.destroy(), servers.connectTimeoutMs)
      try {
        const state = await servers.check(this.#server, this, isWriting)
        // The socket was destroyed by this timer, or by the pool's.
        if (this.#socket.destroyed) throw new Error('Connection terminated')
        return state
      } finally {
        clearTimeout(timer)
      }
    }
  }
}

/** A pool whose new connections try the servers in turn. */
export class ServerPool extends pg.Pool {
  readonly #servers: Servers

  constructor(servers: Servers, isWriting: boolean, settings: pg.PoolConfig) {
    super({ ...settings, Client: makeClientClass(servers, isWriting) })
    this.#servers = servers
    this.on('error', () => undefined)
  }

  override connect(): Promise<pg.PoolClient>
  override connect(
    callback: (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void,
  ): void
  override connect(
    callback?: (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void,
  ): Promise<pg.PoolClient> | undefined {
    const connected = this.#servers.connectInTurn(() => super.connect())
    if (callback === undefined) return connected
    connected.then(
      (client) => callback(undefined, client, (problem) => client.release(problem as Error | boolean)),
      (error: Error) => callback(error, undefined, () => undefined),
    )
    return undefined
  }
}
