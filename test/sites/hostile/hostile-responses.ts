// Building blocks of the hostile site: one path per attack, with the expected outcome.

import type { ServerResponse } from 'node:http'

/** May use the response, or take over its socket. */
export type HostileResponder = (response: ServerResponse) => void

/** For each path: state and reason of the URL, as in "failed too_slow", and the response. */
export type HostilePaths = Record<string, readonly [outcome: string, answer: HostileResponder]>

export const RESPONSE_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
/**
 * Used in raw responses that are valid: without it, the client may send its next request just as the connection ends.
 */
export const CLOSE_HEADER = 'Connection: close\r\n'

export function respondWithPage(body: string | Buffer, contentType = 'text/html; charset=utf-8'): HostileResponder {
  return (response) => {
    response.writeHead(200, { 'Content-Type': contentType })
    response.end(body)
  }
}

/** Responds with a body that is generated on request. */
export function respondWithGeneratedPage(make: () => string | Buffer): HostileResponder {
  return (response) => respondWithPage(make())(response)
}

/** Sends these bytes, then ends the connection. */
export function respondWithBytes(text: string | Buffer): HostileResponder {
  return (response) => response.socket?.end(text)
}

/** Sends these bytes, then resets the connection. */
export function respondThenReset(text: string): HostileResponder {
  return ({ socket }) => socket?.write(text, () => socket.resetAndDestroy())
}

/** Sends a start, then the same part repeatedly at an interval, until the client gives up. */
export function respondSlowly(start: string, part: string, everyMs: number): HostileResponder {
  return ({ socket }) => {
    socket?.write(start)
    const timer = setInterval(() => socket?.write(part), everyMs)
    socket?.on('close', () => clearInterval(timer))
  }
}

/** Sends a start, then parts without end, as fast as the client reads. */
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
