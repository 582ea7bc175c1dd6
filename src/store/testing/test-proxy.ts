// A proxy to a database that cuts connections at the worst moment: at a commit, before the server gets it or after. It
// can also swallow all responses, as if packets were lost.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type Cut = 'before the commit' | 'after the commit' | 'in silence after the commit'

export interface TestProxy {
  url: string
  /** Cuts the next connection that commits, and all others with it. */
  cutNext(cut: Cut): void
  /** Like `cutNext`, for every n-th commit, alternating before and after; 0 ends it. */
  cutEvery(commits: number): void
  /** Existing connections are dead from now on without notice; new ones get through. */
  strand(): void
  /** Breaks every connection, and refuses new ones until it is opened again. */
  shut(): Promise<void>
  open(): Promise<void>
  close(): Promise<void>
}

/** The driver sends a commit as a simple query. */
const COMMIT = Buffer.from('commit\0')

export async function makeProxy(databaseUrl: string): Promise<TestProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const stranded = new WeakSet<Socket>()
  let next: Cut | null = null
  let every = 0
  let commits = 0
  /** Decides what happens to this commit. */
  const decide = (): Cut | null => {
    commits += 1
    const planned = next
    next = null
    if (planned !== null || every === 0 || commits % every !== 0) return planned
    return commits % (2 * every) === 0 ? 'before the commit' : 'after the commit'
  }
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const strand = () => {
    for (const socket of sockets) stranded.add(socket)
  }
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    let last: Cut | null = null
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (data) => {
      if (stranded.has(client)) return
      const cut = data.includes(COMMIT) ? decide() : null
      if (cut === 'before the commit') return breakAll()
      last ??= cut
      upstream.write(data)
    })
    // The response shows that the commit was made; the client never gets it.
    upstream.on('data', (data) => {
      if (last === 'in silence after the commit') strand()
      if (stranded.has(upstream)) return
      if (last === null) client.write(data)
      else breakAll()
    })
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(address.port)
  const shut = async () => {
    const closed = server.listening ? once(server, 'close') : null
    server.close()
    breakAll()
    await closed
  }
  const cutNext = (cut: Cut) => {
    next = cut
  }
  const cutEvery = (count: number) => {
    every = count
  }
  return { url: url.href, cutNext, cutEvery, strand, shut, open: () => listen(address.port), close: shut }
}
