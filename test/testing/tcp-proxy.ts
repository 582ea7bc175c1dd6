// A TCP proxy that simulates network faults.
//   open      bytes pass
//   stalled   nothing passes and neither side notices, as with packet loss
//   refusing  every connection is reset, old and new

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** Resets the existing connections; new ones work. */
  resetConnections(): void
  stall(): void
  refuse(): void
  /** Silently drops everything on the existing connections from now on; new ones work. */
  blackholeConnections(): void
  /** Stalled connections continue, including the bytes that were held back. */
  restore(): void
  close(): Promise<void>
}

interface Pair {
  near: Socket
  far: Socket
}

type Mode = 'open' | 'stalled' | 'refusing'

export async function openTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const pairs = new Set<Pair>()
  const stranded = new Set<Pair>()
  /** Connections accepted while stalled. */
  const waiting = new Set<Socket>()
  let mode: Mode = 'open'
  const server = createServer({ pauseOnConnect: true }, (near) => {
    near.on('error', () => undefined)
    if (mode === 'refusing') return void near.resetAndDestroy()
    if (mode === 'open') return join(near)
    waiting.add(near)
    near.once('close', () => waiting.delete(near))
  })

  function join(near: Socket): void {
    const far = connect(target)
    const pair = { near, far }
    pairs.add(pair)
    near.pipe(far).pipe(near)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => undefined)
      one.once('close', () => {
        pairs.delete(pair)
        stranded.delete(pair)
        other.resetAndDestroy()
      })
    }
  }

  function pause(): void {
    for (const { near, far } of pairs) {
      near.unpipe(far).pause()
      far.unpipe(near).pause()
    }
  }

  function cut(): void {
    for (const { near, far } of pairs) {
      near.resetAndDestroy()
      far.resetAndDestroy()
    }
    for (const near of waiting) near.resetAndDestroy()
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    resetConnections: cut,
    stall() {
      mode = 'stalled'
      pause()
    },
    blackholeConnections() {
      pause()
      for (const pair of pairs) stranded.add(pair)
      pairs.clear()
    },
    refuse() {
      mode = 'refusing'
      cut()
    },
    restore() {
      const wasStalled = mode === 'stalled'
      mode = 'open'
      if (wasStalled) for (const { near, far } of pairs) near.pipe(far).pipe(near)
      for (const near of waiting) join(near)
      waiting.clear()
    },
    async close() {
      mode = 'refusing'
      server.close()
      for (const pair of stranded) pairs.add(pair)
      cut()
      await once(server, 'close')
    },
  }
}
