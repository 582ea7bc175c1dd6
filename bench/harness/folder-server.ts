// Starts folder-server-process.ts and reads its request counts.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { RequestCounts } from './bench-server.ts'
import type { FolderServerOptions } from './folder-server-process.ts'

const script = fileURLToPath(new URL('./folder-server-process.ts', import.meta.url))

export interface FolderServer {
  seed: string
  /** The requests since the last call. */
  takeCounts(): Promise<RequestCounts>
  stop(): Promise<void>
}

export async function startFolderServer(options: FolderServerOptions): Promise<FolderServer> {
  const child = fork(script, [JSON.stringify(options)])
  const exited = once(child, 'exit')
  const receive = () =>
    Promise.race([
      once(child, 'message').then(([message]) => message as unknown),
      exited.then(() => Promise.reject(new Error('The server of the folder has exited.'))),
    ])
  const { port } = (await receive()) as { port: number }
  return {
    seed: `${options.https ? 'https' : 'http'}://127.0.0.1:${port}/`,
    async takeCounts() {
      child.send('take')
      return (await receive()) as RequestCounts
    },
    async stop() {
      child.disconnect()
      await exited
    },
  }
}
