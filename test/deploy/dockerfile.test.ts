// The image as far as it can be told without building it.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { COMMANDS } from '../../src/cli/run.ts'
import { SCHEMA } from '../../src/config/schema.ts'
import { serveHealth } from '../../src/worker/health.ts'
import { isSent, lastOf, parseDockerfile } from './dockerfile.ts'
import { at, mapAt, ROOT, readText, readYaml, SETTINGS } from './files.ts'
import { reachOf } from './imports.ts'

const stages = parseDockerfile(readText('Dockerfile'))
const ignored = readText('Dockerfile.dockerignore')
const [build] = stages
const image = stages.at(-1)

describe('the image', () => {
  it('is built in one stage and run from another, which copies from it', () => {
    assert.equal(stages.length, 2)
    const copies = image?.instructions.filter(({ word }) => word === 'COPY').map(({ rest }) => rest)
    assert.deepEqual(copies, [`--from=${build?.name} /app /app`])
    for (const { base } of stages) assert.match(base, /^[a-z]+:(?!latest)[\w.-]+$/)
  })

  it('copies files that exist and that the ignore file lets through', () => {
    const copied = (build?.instructions ?? [])
      .filter(({ word }) => word === 'COPY')
      .flatMap(({ rest }) => rest.split(' ').slice(0, -1))
    assert.ok(copied.includes('src') && copied.includes('orbweaver'))
    for (const path of copied) {
      assert.ok(existsSync(join(ROOT, path)), path)
      assert.ok(isSent(path, ignored), path)
    }
    for (const path of ['.git', 'node_modules', 'test', 'docs', 'deploy']) assert.ok(!isSent(path, ignored), path)
  })

  it('has every file and package that the program needs', () => {
    const { files, packages } = reachOf(ROOT, 'src/main.ts')
    assert.ok(files.has('src/store/postgres/thread.ts') && files.has('src/worker/thread.ts'))
    for (const file of files) assert.ok(isSent(file, ignored), file)
    assert.ok(packages.has('pg') && packages.has('undici'))
    const kept = mapAt(readYaml('../package.json'), 'dependencies')
    for (const name of packages) assert.ok(Object.hasOwn(kept, name), name)
    assert.ok(Object.hasOwn(kept, 'node'))
  })

  it('leaves tests out', () => {
    assert.ok(isSent('src/worker/health.ts', ignored))
    assert.ok(!isSent('src/worker/health.test.ts', ignored))
    assert.ok(!isSent('src/ports/workers.contract.ts', ignored))
  })

  it('runs as a user with a number, not as root', () => {
    const [, uid = '', gid = ''] = /^(\d+):(\d+)$/.exec(lastOf(image, 'USER')) ?? []
    assert.ok(Number(uid) > 0 && Number(gid) > 0)
    assert.match(lastOf(image, 'RUN'), new RegExp(`useradd --uid ${uid} `))
    const chart = readText('helm/orbweaver/templates/statefulset.yaml')
    for (const line of [`runAsUser: ${uid}`, `runAsGroup: ${gid}`, `fsGroup: ${gid}`]) assert.ok(chart.includes(line))
  })

  it('starts the launcher directly, with a command that exists', () => {
    const [file = ''] = JSON.parse(lastOf(image, 'ENTRYPOINT')) as string[]
    accessSync(join(ROOT, file.replace('/app/', '')), constants.X_OK)
    const [command = ''] = JSON.parse(lastOf(image, 'CMD')) as string[]
    assert.ok(Object.hasOwn(COMMANDS, command))
  })

  it('sets only what the program knows, and opens the health port to others', () => {
    const env = new Map(
      lastOf(image, 'ENV')
        .split(/\s+/)
        .map((pair) => pair.split('=') as [string, string]),
    )
    for (const name of env.keys()) assert.ok(SETTINGS.has(name) || name === 'NODE_COMPILE_CACHE', name)
    assert.equal(env.get('ORBWEAVER_HEALTH_HOST'), '0.0.0.0')
    assert.equal(lastOf(image, 'EXPOSE'), String(SCHEMA.healthPort.default))
    // A read-only root has these two to write to.
    const worker = at(readYaml('compose.yaml'), 'services.worker')
    assert.ok(String(at(worker, 'tmpfs.0')).startsWith('/tmp:') && env.get('NODE_COMPILE_CACHE')?.startsWith('/tmp/'))
    assert.ok(String(at(worker, 'volumes.0')).endsWith(`:${env.get('ORBWEAVER_DATA')}`))
  })

  it('is healthy while the health port answers', async () => {
    const words = JSON.parse(lastOf(image, 'HEALTHCHECK').replace(/^.*?CMD /, '')) as string[]
    assert.equal(words[0], '/app/node_modules/.bin/node')
    const server = await serveHealth(
      { host: '127.0.0.1', port: 0 },
      { notReady: () => 'draining', metrics: async () => [], rawRecord: async () => Buffer.alloc(0) },
    )
    const env = { ...process.env, ORBWEAVER_HEALTH_PORT: String(server.port) }
    const codeOf = async () => (await once(spawn(process.execPath, words.slice(1), { env }), 'exit'))[0] as number
    assert.equal(await codeOf(), 0)
    await server.close()
    assert.equal(await codeOf(), 1)
  })
})
