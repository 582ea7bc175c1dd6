// A real S3 server for tests: the Versity S3 gateway over a folder. `npm run test:engines` builds it and names its file
// in TEST_S3_SERVER.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CleanupContext } from '../../testing/program.ts'

/** The variables that programs under test get. Nothing else of the caller's S3 settings applies. */
export const S3_ENVIRONMENT = {
  AWS_ACCESS_KEY_ID: 'orbweaver-test',
  AWS_SECRET_ACCESS_KEY: 'not-a-secret-but-must-not-be-logged',
  AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
  AWS_CONFIG_FILE: '/nonexistent',
  AWS_REGION: 'us-east-1',
}

export interface S3Server {
  port: number
  /** Creates a bucket and returns its URL; `port` is the port of a proxy in front of the server. */
  makeBucket(port?: number): string
}

const START_MS = 30_000
let buckets = 0

export async function startS3Server(t: CleanupContext): Promise<S3Server> {
  const file = process.env['TEST_S3_SERVER']
  if (file === undefined) throw new Error('TEST_S3_SERVER is not set. Run: npm run test:engines')
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-s3-'))
  const port = await findFreePort()
  const { AWS_ACCESS_KEY_ID: access, AWS_SECRET_ACCESS_KEY: secret } = S3_ENVIRONMENT
  const env = { ...process.env, ROOT_ACCESS_KEY: access, ROOT_SECRET_KEY: secret }
  const args = ['--port', `127.0.0.1:${port}`, '--keep-alive', '--quiet', 'posix', folder]
  const child = spawn(file, args, { env, stdio: 'ignore' })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  await waitForServer(port)
  return {
    port,
    makeBucket(through = port) {
      buckets += 1
      mkdirSync(join(folder, `pages-${buckets}`))
      return `s3://pages-${buckets}/archive?endpoint=http://127.0.0.1:${through}`
    },
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function waitForServer(port: number): Promise<void> {
  const end = Date.now() + START_MS
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${port}/`)
      return
    } catch (error) {
      if (Date.now() > end) throw new Error('The S3 server does not start.', { cause: error })
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
