// Runs the example for nginx, with this machine's places in it, before a real server.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { type CleanupContext, makeTemporaryFolder, runProgram, startProgram } from '../../testing/program.ts'
import { ROOT_FOLDER, readText } from './deploy-files.ts'

export interface NginxProxy {
  /** The socket that nginx listens on. */
  socketPath: string
  /** An admin's. */
  token: string
  /** Asks nginx as a browser would that was told this name. */
  request(
    path: string,
    options?: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<IncomingMessage>
}

export const PUBLIC_HOST = 'crawls.test:8443'

export async function startNginxProxy(t: CleanupContext): Promise<NginxProxy> {
  await promisify(execFile)(process.execPath, [join(ROOT_FOLDER, 'web/build.ts')])
  const { port, token } = await startServer(t)
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-nginx-'))
  const socketPath = join(folder, 'nginx.sock')
  writeFileSync(join(folder, 'site.conf'), adaptConfig({ socketPath, port }))
  writeFileSync(join(folder, 'nginx.conf'), mainConfig(folder))
  await runNginx(t, folder)
  return {
    socketPath,
    token,
    async request(path, { method = 'GET', headers = {}, body } = {}) {
      const asked = request({ socketPath, path, method, headers: { host: PUBLIC_HOST, ...headers } }).end(body)
      const [response] = (await once(asked, 'response')) as [IncomingMessage]
      return response
    },
  }
}

async function startServer(t: CleanupContext): Promise<{ port: string; token: string }> {
  const data = makeTemporaryFolder(t)
  const made = await runProgram(['token', 'create', 'admin', 'admin', '--json', '--data', data])
  const { token } = JSON.parse(made.stdout) as { token: string }
  const flags = ['--data', data, '--roles', 'api', '--port', '0', '--health-port', '0', '--require-token']
  const program = startProgram(['serve', ...flags])
  t.after(async () => {
    program.child.kill('SIGKILL')
    await program.ended
  })
  let port = ''
  await program.waitForLine((line) => {
    port = /^Orbweaver is running at \S+:(\d+)/.exec(line)?.[1] ?? ''
    return port !== ''
  })
  return { port, token }
}

async function runNginx(t: CleanupContext, folder: string): Promise<void> {
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')])
  const ended = once(child, 'close')
  t.after(async () => {
    child.kill()
    await ended
    rmSync(folder, { recursive: true })
  })
  const lines: string[] = []
  const isReady = Promise.withResolvers<void>()
  createInterface(child.stderr).on('line', (line) => {
    lines.push(line)
    if (line.includes('start worker process ')) isReady.resolve()
  })
  const failed = ended.then(() => Promise.reject(new Error(`nginx ended: ${lines.join('\n')}`)))
  await Promise.race([isReady.promise, failed])
  // Later it ends because it is told to.
  failed.catch(() => undefined)
}

function adaptConfig({ socketPath, port }: { socketPath: string; port: string }): string {
  const changes: [from: string, to: string][] = [
    ['listen 80;', `listen unix:${socketPath};`],
    ['server api:8080;', `server 127.0.0.1:${port};`],
  ]
  return changes.reduce((config, [from, to]) => {
    assert.ok(config.includes(from), from)
    return config.replace(from, to)
  }, readText('nginx/orbweaver.conf'))
}

function mainConfig(folder: string): string {
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const temporary = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')
  return `${user} daemon off; pid ${folder}/pid; error_log stderr notice; events {}
    http { access_log off; ${temporary} include ${folder}/site.conf; }`
}
