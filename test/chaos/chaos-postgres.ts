// A Postgres server that can be stopped, killed and restarted on the same data. A separate process runs it.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface ChaosPostgres {
  url: string
  port: number
  /** Shuts down cleanly: ends every connection and writes a checkpoint. */
  stop(): Promise<void>
  /** Sends SIGKILL to the server and all its backends at once. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Ends the server and deletes its files. */
  close(): Promise<void>
}

export async function startChaosPostgres(maxConnections: number): Promise<ChaosPostgres> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'postgres-process.ts'), String(maxConnections)], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const readReply = async () => String((await lines.next()).value ?? 'The Postgres process exited.')
  const url = await readReply()
  if (!url.startsWith('postgres://')) throw new Error(`Postgres could not be started: ${url}`)
  const sendCommand = async (word: string) => {
    child.stdin.write(`${word}\n`)
    const reply = await readReply()
    if (reply !== 'ok') throw new Error(`Postgres did not ${word}: ${reply}`)
  }
  return {
    url,
    port: Number(new URL(url).port),
    stop: () => sendCommand('stop'),
    kill: () => sendCommand('kill'),
    start: () => sendCommand('start'),
    close: () =>
      new Promise((resolve) => {
        child.once('close', () => resolve())
        child.stdin.end()
        child.stdout.resume()
      }),
  }
}
