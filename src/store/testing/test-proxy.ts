// A way to a database that can be cut at the worst moment: at a commit, before the server hears of it or after. Or it is
// not cut, and no answer comes any more: packets are lost on the way.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type Cut = 'before the commit' | 'after the commit' | 'in silence after the commit'

export interface TestProxy {
  url: string
  /** Cuts the next connection that commits, and every other with it. */
  cutNext(cut: Cut): void
  /** The same for one commit in so many, in turn before and after; 0 ends it. */
  cutEvery(commits: number): void
  /** What is connected is dead from now on, and nobody is told; who comes anew gets through. */
  strand(): void
  /** Breaks every connection, and refuses new ones until it is opened again. */
  shut(): Promise<void>
  open(): Promise<void>
  close(): Promise<void>
}

/** As the driver sends it: a simple query. */
const COMMIT = Buffer.from('commit\0')

export async function makeProxy(databaseUrl: string): Promise<TestProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const stranded = new WeakSet<Socket>()
  let next: Cut | null = null
  let every = 0
  let commits = 0
  /** What happens to this commit. */
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
    // The answer shows that the commit was made; the client never hears it.
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
