// Two Postgres servers in synchronous replication, which can be killed, promoted and joined again. A separate process
// runs them.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface PostgresPair {
  /** Names both servers. */
  url: string
  /** The URL of each server alone. */
  urls: [string, string]
  kill(server: number): Promise<void>
  promote(server: number): Promise<void>
  /** Starts a killed primary as a primary. */
  startByMistake(server: number): Promise<void>
  /** Copies the other server and starts this one as its standby. */
  join(server: number): Promise<void>
  close(): Promise<void>
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'postgres-pair-process.ts')], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const readReply = async () => String((await lines.next()).value ?? 'The process of the servers exited.')
  const sendCommand = async (word: string, server: number) => {
    child.stdin.write(`${word} ${server}\n`)
    const reply = await readReply()
    if (reply !== 'ok') throw new Error(`${word} of server ${server} failed: ${reply}`)
  }
  const ports = await readReply()
  if (!/^\d+ \d+$/.test(ports)) throw new Error(`Postgres could not be started: ${ports}`)
  const [first = '', second = ''] = ports.split(' ')
  const urlOf = (hosts: string) => `postgres://postgres@${hosts}/postgres`
  return {
    url: `${urlOf(`127.0.0.1:${first},127.0.0.1:${second}`)}?target_session_attrs=read-write`,
    urls: [urlOf(`127.0.0.1:${first}`), urlOf(`127.0.0.1:${second}`)],
    kill: (server) => sendCommand('kill', server),
    promote: (server) => sendCommand('promote', server),
    startByMistake: (server) => sendCommand('mistake', server),
    join: (server) => sendCommand('join', server),
    close: () =>
      new Promise((resolve) => {
        child.once('close', () => resolve())
        child.stdin.end()
        child.stdout.resume()
      }),
  }
}
