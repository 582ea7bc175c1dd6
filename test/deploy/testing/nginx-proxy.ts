// Runs nginx with the example configuration, adapted to local paths, in front of a real server.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { type CleanupContext, makeTemporaryFolder, runProgram } from '../../testing/program.ts'
import { startServer } from '../../testing/start-server.ts'
import { ROOT_FOLDER, readText } from './deploy-files.ts'

export interface NginxProxy {
  /** The socket that nginx listens on. */
  socketPath: string
  /** An admin token. */
  token: string
  /** Sends a request to nginx with the public host name. */
  request(
    path: string,
    options?: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<IncomingMessage>
}

export const PUBLIC_HOST = 'crawls.test:8443'

export async function startNginxProxy(t: CleanupContext): Promise<NginxProxy> {
  await promisify(execFile)(process.execPath, [join(ROOT_FOLDER, 'web/build.ts')])
  const { port, token } = await startApi(t)
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-nginx-'))
  const socketPath = join(folder, 'nginx.sock')
  writeFileSync(join(folder, 'site.conf'), adaptConfig({ socketPath, port }))
  writeFileSync(join(folder, 'nginx.conf'), mainConfig(folder))
  await runNginx(t, folder)
  return {
    socketPath,
    token,
    async request(path, { method = 'GET', headers = {}, body } = {}) {
      const sent = request({ socketPath, path, method, headers: { host: PUBLIC_HOST, ...headers } }).end(body)
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      return response
    },
  }
}

async function startApi(t: CleanupContext): Promise<{ port: string; token: string }> {
  const data = makeTemporaryFolder(t)
  const created = await runProgram(['token', 'create', 'admin', 'admin', '--json', '--data', data])
  const { token } = JSON.parse(created.stdout) as { token: string }
  const { address } = await startServer(t, { data, flags: ['--roles', 'api', '--require-token'] })
  return { port: new URL(address).port, token }
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
  // Ignores errors that occur later, when the test ends nginx.
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
