// Runs the example for nginx, with this machine's places in it, before a small API.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type ClientRequest, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { readText } from './files.ts'

/** Asks on the socket that nginx listens on. */
export type Ask = (path: string, headers?: Record<string, string>) => ClientRequest

export async function startNginx(t: TestContext): Promise<Ask> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-nginx-'))
  mkdirSync(join(folder, 'pages/assets'), { recursive: true })
  writeFileSync(join(folder, 'pages/index.html'), 'the app')
  writeFileSync(join(folder, 'pages/assets/app-1a2b.js'), 'code')
  const socketPath = join(folder, 'nginx.sock')
  writeFileSync(join(folder, 'site.conf'), fit({ folder, socketPath, apiPort: await startApi(t) }))
  writeFileSync(join(folder, 'nginx.conf'), mainConfig(folder))
  await run(t, folder)
  return (path, headers = {}) => request({ socketPath, path, headers: { host: 'crawls.test', ...headers } }).end()
}

async function run(t: TestContext, folder: string): Promise<void> {
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

async function startApi(t: TestContext): Promise<number> {
  const api = createServer(({ url, headers }, response) => response.end(`${url} of ${headers.host}`))
  api.on('upgrade', ({ headers }, socket) => {
    socket.end(`HTTP/1.1 101 Switching Protocols\r\nupgrade: ${headers.upgrade}\r\nconnection: upgrade\r\n\r\nlive`)
  })
  api.listen(0, '127.0.0.1')
  await once(api, 'listening')
  t.after(() => api.close())
  return (api.address() as AddressInfo).port
}

function fit(places: { folder: string; socketPath: string; apiPort: number }): string {
  const changes: [from: string, to: string][] = [
    ['listen 80;', `listen unix:${places.socketPath};`],
    ['server api:8080;', `server 127.0.0.1:${places.apiPort};`],
    ['root /usr/share/nginx/orbweaver;', `root ${places.folder}/pages;`],
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
