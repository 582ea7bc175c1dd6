// What the hostile site is made of: one path for each misdeed, with what a crawler should make of it.

import type { ServerResponse } from 'node:http'

/** May use the response, or take the connection from under it. */
export type HostileResponder = (response: ServerResponse) => void

/** By path: the state of the url and its reason, as in "failed too_slow", and the answer. */
export type HostilePaths = Record<string, readonly [outcome: string, answer: HostileResponder]>

export const RESPONSE_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
/** For raw answers that are good ones: without it the client may send its next request just as the connection ends. */
export const CLOSE_HEADER = 'Connection: close\r\n'

export function respondWithPage(body: string | Buffer, contentType = 'text/html; charset=utf-8'): HostileResponder {
  return (response) => {
    response.writeHead(200, { 'Content-Type': contentType })
    response.end(body)
  }
}

/** The same, for a body that is made only when it is asked for. */
export function respondWithGeneratedPage(make: () => string | Buffer): HostileResponder {
  return (response) => respondWithPage(make())(response)
}

/** These bytes, then the end of the connection. */
export function respondWithBytes(text: string | Buffer): HostileResponder {
  return (response) => response.socket?.end(text)
}

/** These bytes, then a reset. */
export function respondThenReset(text: string): HostileResponder {
  return ({ socket }) => socket?.write(text, () => socket.resetAndDestroy())
}

/** A start, then the same part again and again at its pace, until the other side has enough. */
export function respondSlowly(start: string, part: string, everyMs: number): HostileResponder {
  return ({ socket }) => {
    socket?.write(start)
    const timer = setInterval(() => socket?.write(part), everyMs)
    socket?.on('close', () => clearInterval(timer))
  }
}

/** A start, then parts without end, as fast as they are taken. */
export function respondEndlessly(start: string, part: (i: number) => string | Buffer): HostileResponder {
  return ({ socket }) => {
    if (socket === null) return
    let i = 0
    const send = () => {
      while (!socket.destroyed && socket.write(part(i))) i += 1
    }
    socket.on('drain', send)
    socket.write(start)
    send()
  }
}
