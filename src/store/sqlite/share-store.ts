// The process that owns a data directory lets other processes of the same user work with its store: store.sock in the
// directory accepts the calls that the store thread serves. Whoever may open the directory may open the socket.
//
// The owner holds the lock of the directory, so a socket that was there before is stale. A path that is too long for a
// socket becomes a symbolic link to one in a temporary folder.

import { once } from 'node:events'
import { chmodSync, mkdtempSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import pkg from '../../../package.json' with { type: 'json' }
import { AppError } from '../../lib/errors.ts'
import { PRIVATE_FILE } from '../../lib/private-files.ts'
import { RpcClient } from '../../lib/rpc.ts'
import { makeSocketPort } from '../../lib/socket-port.ts'

export const SOCKET_FILE = 'store.sock'
/** Of the systems we know, the shortest limit is 104 bytes. */
const MAX_PATH_BYTES = 100

/** What the owner tells a process that connects. */
export interface StoreOwner {
  pid: number
  version: string
  /** Of a server: what it does for every crawl. Empty for a process that runs a single one. */
  roles: readonly string[]
}

export interface StoreShare {
  close(): Promise<void>
}

/** Only for the process that holds the lock of the directory. `connect` opens a port of the store thread. */
export async function shareStore(
  dir: string,
  { roles, connect }: { roles: readonly string[]; connect: () => MessagePort },
): Promise<StoreShare> {
  const owner: StoreOwner = { pid: process.pid, version: pkg.version, roles }
  removeSocket(dir)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    const [outside, inside] = [makeSocketPort(socket), connect()]
    outside.on('close', () => inside.close())
    inside.on('message', (message) => outside.postMessage(message, []))
    outside.on('message', (message) => inside.postMessage(message))
    outside.postMessage(owner, [])
  })
  // A crawl ends although somebody is connected.
  server.unref()
  await listen(server, dir)
  return {
    async close() {
      removeSocket(dir)
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

async function listen(server: Server, dir: string): Promise<void> {
  const path = join(dir, SOCKET_FILE)
  const isTooLong = Buffer.byteLength(path) > MAX_PATH_BYTES
  const socketPath = isTooLong ? join(mkdtempSync(join(tmpdir(), 'orbweaver-')), SOCKET_FILE) : path
  server.listen(socketPath)
  await once(server, 'listening')
  chmodSync(socketPath, PRIVATE_FILE)
  if (isTooLong) symlinkSync(socketPath, path)
}

function removeSocket(dir: string): void {
  const path = join(dir, SOCKET_FILE)
  const target = readLink(path)
  if (target !== null) rmSync(dirname(target), { recursive: true, force: true })
  rmSync(path, { force: true })
}

function readLink(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    // No link, or nothing at all.
    return null
  }
}

export interface SharedStore {
  owner: StoreOwner
  client: RpcClient
  close(): Promise<void>
}

/** Null if no process shares the store of this directory. */
export async function connectStore(dir: string): Promise<SharedStore | null> {
  const path = join(dir, SOCKET_FILE)
  const socket = createConnection(readLink(path) ?? path)
  const port = makeSocketPort(socket)
  const owner = await new Promise<StoreOwner | null>((resolve) => {
    port.on('message', (message) => resolve(message as StoreOwner))
    port.on('close', () => resolve(null))
  })
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
      const closed = once(socket, 'close')
      client.close()
      await closed
    },
  }
}
