// Starts the real program with its API and web app, as a user would.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Client, createClient } from '../../../src/api/client.ts'
import { type CleanupContext, makeTemporaryFolder, type Program, startProgram } from '../../testing/program.ts'

export interface TestApp {
  address: string
  data: string
  client: Client
  /** Stops the program with SIGTERM and waits for it to exit. */
  stop(): Promise<void>
  /** Starts it again with the same port and data directory. */
  restart(): Promise<void>
}

const build = fileURLToPath(new URL('../../../web/build.ts', import.meta.url))

export interface TestAppOptions {
  flags?: string[]
  /** Called with the data directory before the program starts. */
  prepare?: (data: string) => Promise<void>
}

const building: Promise<unknown>[] = []

/** Builds once per process; build.ts takes care of several processes. */
async function buildOnce(): Promise<void> {
  if (building.length === 0) building.push(promisify(execFile)(process.execPath, [build]))
  await building[0]
}

export async function startTestApp(t: CleanupContext, { flags = [], prepare }: TestAppOptions = {}): Promise<TestApp> {
  await buildOnce()
  const data = makeTemporaryFolder(t)
  await prepare?.(data)
  let program: Program | null = null

  const open = async (port: string): Promise<string> => {
    program = startProgram(['serve', '--data', data, '--port', port, '--health-port', '0', ...flags])
    let address = ''
    await program.waitForLine((line) => {
      address = /^Orbweaver is running at (\S+)/.exec(line)?.[1] ?? ''
      return address !== ''
    })
    return address
  }
  const stop = async (): Promise<void> => {
    program?.child.kill('SIGTERM')
    await program?.ended
    program = null
  }

  t.after(stop)
  const address = await open('0')
  return {
    address,
    data,
    client: createClient({ baseUrl: address }),
    stop,
    async restart() {
      await open(new URL(address).port)
    },
  }
}
