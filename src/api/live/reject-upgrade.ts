// Rejects a WebSocket upgrade with an HTTP error response.

import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { PROBLEM_TYPE, toProblem } from '../http/problem.ts'
import { RequestError } from '../requests/request-error.ts'

export function rejectUpgrade(socket: Duplex, thrown: unknown): void {
  const problem = toProblem(thrown, randomUUID())
  const body = JSON.stringify(problem)
  const headers = {
    'content-type': PROBLEM_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...(thrown instanceof RequestError ? thrown.headers : {}),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}\r\n${lines.join('')}\r\n${body}`)
}
