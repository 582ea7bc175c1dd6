// The process that owns a data directory lets other processes of the same user work with its store: store.sock in
// the directory accepts the calls that the store thread serves. Any process that may open the directory may open the
// socket.
//
// The owner holds the lock of the directory, so an existing socket is stale. A path that is too long for a socket is
// reached through an open handle of the directory, which only Linux offers.

import { once } from 'node:events'
import { chmodSync, closeSync, openSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { join, resolve as resolvePath } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import pkg from '../../../package.json' with { type: 'json' }
import { AppError } from '../../lib/errors.ts'
import { PRIVATE_FILE } from '../../lib/private-files.ts'
import { isRpcCall, RpcClient, type RpcPort } from '../../lib/rpc.ts'
import { makeSocketPort } from '../../lib/socket-port.ts'

export const SOCKET_FILE = 'store.sock'
/** The shortest limit of the systems we know is 104 bytes. */
const MAX_PATH_BYTES = 100
/** A process that is stopped or overloaded accepts connections, but says nothing. */
const GREETING_MS = 10_000

/** What the owner reports to a process that connects. */
export interface StoreOwner {
  pid: number
  version: string
  /** Roles that a server performs for every crawl. Empty for a process that runs a single crawl. */
  roles: readonly string[]
  /** Address of the web app and the API; null if the process has none, or is still starting. */
  address: string | null
}

export interface StoreShare {
  /** From now on, connecting processes learn this address of the API. */
  setAddress(address: string): void
  close(): Promise<void>
}

/** Must be called by the process that holds the lock of the directory. `connect` opens a port of the store thread. */
export async function shareStore(
  dir: string,
  { roles, connect }: { roles: readonly string[]; connect: () => MessagePort },
): Promise<StoreShare> {
  const owner: StoreOwner = { pid: process.pid, version: pkg.version, roles, address: null }
  removeSocket(dir)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    const [outside, inside] = [makeSocketPort(socket), connect()]
    outside.on('close', () => inside.close())
    inside.on('message', (message) => outside.postMessage(message))
    outside.on('message', (message) => {
      if (isRpcCall(message)) inside.postMessage(message)
      else socket.destroy()
    })
    outside.postMessage(owner)
  })
  // A crawl ends although somebody is connected.
  server.unref()
  await listen(server, dir)
  return {
    setAddress(address) {
      owner.address = address
    },
    async close() {
      removeSocket(dir)
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

async function listen(server: Server, dir: string): Promise<void> {
  const shortPath = openShortPath(dir)
  try {
    server.listen(shortPath.path)
    await once(server, 'listening')
    chmodSync(shortPath.path, PRIVATE_FILE)
  } finally {
    shortPath.close()
  }
}

/** A path of the socket that the system accepts. */
function openShortPath(dir: string): { path: string; close(): void } {
  const path = resolvePath(dir, SOCKET_FILE)
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return { path, close: () => undefined }
  if (process.platform !== 'linux') throw new AppError('BAD_CONFIG', `The path ${path} is too long for a socket.`)
  const handle = openSync(dir, 'r')
  return { path: `/proc/self/fd/${handle}/${SOCKET_FILE}`, close: () => closeSync(handle) }
}

function removeSocket(dir: string): void {
  rmSync(join(dir, SOCKET_FILE), { force: true })
}

export interface SharedStore {
  owner: StoreOwner
  client: RpcClient
  close(): Promise<void>
}

/** Null if no process shares the store of this directory. */
export async function connectStore(dir: string): Promise<SharedStore | null> {
  const socket = await connectSocket(dir)
  if (socket === null) return null
  const port = makeSocketPort(socket)
  const owner = await readGreeting(port, dir)
  if (owner === null) return null
  if (owner.version !== pkg.version) {
    socket.destroy()
    throw new AppError(
      'DATA_IN_USE',
      `The data directory ${dir} is in use by version ${owner.version} (pid ${owner.pid}); this is version ${pkg.version}. Use the same version, or stop it first.`,
    )
  }
  const client = new RpcClient(port, `The process that uses the data directory ${dir} has ended. Try again.`)
  return {
    owner,
    client,
    async close() {
      client.close()
      if (!socket.closed) await once(socket, 'close')
    },
  }
}

async function connectSocket(dir: string): Promise<Socket | null> {
  let shortPath: ReturnType<typeof openShortPath>
  try {
    shortPath = openShortPath(dir)
  } catch {
    // The directory does not exist, or its owner could not share its store either.
    return null
  }
  const socket = createConnection(shortPath.path)
  const isConnected = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
  shortPath.close()
  return isConnected ? socket : null
}

/** Null if the owner exits. */
async function readGreeting(port: RpcPort, dir: string): Promise<StoreOwner | null> {
  const greeting = Promise.withResolvers<StoreOwner | null>()
  const timer = setTimeout(() => {
    port.close()
    const message = `The process that uses the data directory ${dir} does not respond. Wait, or stop that process (its id is in owner.pid).`
    greeting.reject(new AppError('DATA_IN_USE', message))
  }, GREETING_MS)
  port.on('message', (message) => greeting.resolve(message as StoreOwner))
  port.on('close', () => greeting.resolve(null))
  return greeting.promise.finally(() => clearTimeout(timer))
}
