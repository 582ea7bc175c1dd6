// A way to a database that can be cut at the worst moment: at a commit, before the server hears of it or after.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type Cut = 'before the commit' | 'after the commit'

export interface TestProxy {
  url: string
  /** Cuts the next connection that commits, and every other with it. */
  cutNext(cut: Cut): void
  /** The same for one commit in so many, in turn before and after; 0 ends it. */
  cutEvery(commits: number): void
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
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    let isLast = false
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
      const cut = data.includes(COMMIT) ? decide() : null
      if (cut === 'before the commit') return breakAll()
      isLast ||= cut === 'after the commit'
      upstream.write(data)
    })
    // The answer shows that the commit was made; the client never hears it.
    upstream.on('data', (data) => (isLast ? breakAll() : client.write(data)))
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
  return { url: url.href, cutNext, cutEvery, shut, open: () => listen(address.port), close: shut }
}
