// A server on loopback that sends arbitrary bytes as its response.

import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'

/** What happens to the connection after the last byte. */
export const CONNECTION_ENDINGS = ['end', 'end', 'reset', 'open'] as const
export type ConnectionEnding = (typeof CONNECTION_ENDINGS)[number]

export interface BrokenServer {
  /** Returns a URL with this response; `sent` is called each time it has been sent. */
  serveResponse(slices: Buffer[], ending: ConnectionEnding, sent: () => void): string
  goodUrl: string
  goodBody: string
  close(): Promise<void>
}

interface BrokenResponse {
  slices: Buffer[]
  ending: ConnectionEnding
  sent(): void
}

const GOOD_BODY = 'all is well'
const GOOD_RESPONSE: BrokenResponse = {
  slices: [Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${GOOD_BODY.length}\r\n\r\n${GOOD_BODY}`)],
  ending: 'open',
  sent: () => undefined,
}
/** A request may arrive after its client gave up. */
const MAX_RESPONSES = 64

export async function startBrokenServer(): Promise<BrokenServer> {
  const responses = new Map<string, BrokenResponse>()
  const sockets = new Set<Socket>()
  let count = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    let request = ''
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    socket.on('data', (data) => {
      request += data.toString('latin1')
      if (!request.endsWith('\r\n\r\n')) return
      const path = request.split(' ', 2)[1] ?? ''
      request = ''
      void sendResponse(responses.get(path) ?? GOOD_RESPONSE, socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  return {
    serveResponse(slices, ending, sent) {
      count += 1
      responses.set(`/${count}`, { slices, ending, sent })
      responses.delete(`/${count - MAX_RESPONSES}`)
      return `${origin}/${count}`
    },
    goodUrl: `${origin}/good`,
    goodBody: GOOD_BODY,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function sendResponse({ slices, ending, sent }: BrokenResponse, socket: Socket): Promise<void> {
  for (const slice of slices) {
    // If the client has closed the connection, the callback gets an error.
    await new Promise((resolve) => socket.write(slice, resolve))
    if (slices.length > 1) await turn()
  }
  if (ending === 'end') socket.end()
  else if (ending === 'reset') socket.resetAndDestroy()
  sent()
}
