// Messages over a local socket, for calls between processes (rpc.ts). A frame is a length and a serialised value, which
// can hold what a message between threads can: maps, typed arrays, undefined.

import type { Socket } from 'node:net'
import { deserialize, serialize } from 'node:v8'
import type { RpcPort } from './rpc.ts'

const HEADER_BYTES = 4
/** No call of a store comes near it; a longer frame is from another program. */
const MAX_FRAME_BYTES = 256 * 1024 ** 2

/** Messages that arrive before the first listener are kept for it. */
export function makeSocketPort(socket: Socket): RpcPort {
  const listeners: ((message: unknown) => void)[] = []
  let chunks: Buffer[] = []
  let bytes = 0
  let neededBytes = HEADER_BYTES

  const read = () => {
    if (bytes < neededBytes) return
    let rest = Buffer.concat(chunks)
    for (neededBytes = HEADER_BYTES; rest.length >= neededBytes; neededBytes = HEADER_BYTES) {
      neededBytes += rest.readUInt32LE(0)
      if (neededBytes > MAX_FRAME_BYTES) return void socket.destroy()
      if (rest.length < neededBytes) break
      const message = parseFrame(rest.subarray(HEADER_BYTES, neededBytes))
      if (message === NOT_A_MESSAGE) return void socket.destroy()
      for (const listener of listeners) listener(message)
      rest = rest.subarray(neededBytes)
    }
    chunks = [rest]
    bytes = rest.length
  }
  socket.pause()
  socket.on('data', (chunk) => {
    chunks.push(chunk)
    bytes += chunk.length
    read()
  })
  // "close" follows every error.
  socket.on('error', () => undefined)

  return {
    on(event: 'message' | 'close', listener: (message: unknown) => void) {
      if (event === 'close') return socket.on('close', () => listener(undefined))
      listeners.push(listener)
      return socket.resume()
    },
    postMessage(message) {
      const value = serialize(message)
      const header = Buffer.alloc(HEADER_BYTES)
      header.writeUInt32LE(value.length)
      socket.write(header)
      socket.write(value)
    },
    /** Sends pending messages, then closes. */
    close: () => void socket.end(),
  }
}

const NOT_A_MESSAGE = Symbol('not a message')

function parseFrame(bytes: Buffer): unknown {
  try {
    return deserialize(bytes)
  } catch {
    return NOT_A_MESSAGE
  }
}
