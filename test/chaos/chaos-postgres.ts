// A Postgres server that can be stopped, killed and restarted on the same data. A separate process runs it.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface ChaosPostgres {
  url: string
  port: number
  /** Shuts down cleanly: ends every connection and writes a checkpoint. */
  stop(): Promise<void>
  /** SIGKILL to the server and all its backends at once. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Ends the server and deletes its files. */
  close(): Promise<void>
}

export async function startChaosPostgres(maxConnections: number): Promise<ChaosPostgres> {
  const keeper = spawn(process.execPath, [join(import.meta.dirname, 'postgres-process.ts'), String(maxConnections)], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(keeper.stdout)[Symbol.asyncIterator]()
  const answer = async () => String((await lines.next()).value ?? 'The keeper of Postgres ended.')
  const url = await answer()
  if (!url.startsWith('postgres://')) throw new Error(`Postgres could not be started: ${url}`)
  const tell = async (word: string) => {
    keeper.stdin.write(`${word}\n`)
    const said = await answer()
    if (said !== 'ok') throw new Error(`Postgres did not ${word}: ${said}`)
  }
  return {
    url,
    port: Number(new URL(url).port),
    stop: () => tell('stop'),
    kill: () => tell('kill'),
    start: () => tell('start'),
    close: () =>
      new Promise((resolve) => {
        keeper.once('close', () => resolve())
        keeper.stdin.end()
        keeper.stdout.resume()
      }),
  }
}
