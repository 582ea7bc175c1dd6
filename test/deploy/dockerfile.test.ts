// The image, as far as it can be checked without building it.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, it } from 'node:test'
import { isCommand } from '../../src/cli/commands.ts'
import { SCHEMA } from '../../src/config/schema.ts'
import { serveHealth } from '../../src/worker/health/health-server.ts'
import { ENV_NAMES, mapAt, ROOT_FOLDER, readText, readYaml, renderChart, valueAt } from './testing/deploy-files.ts'
import { findImportClosure } from './testing/import-closure.ts'
import { type BuildStage, isInBuildContext, lastInstruction, parseDockerfile } from './testing/parse-dockerfile.ts'

const stages = parseDockerfile(readText('Dockerfile'))
const ignored = readText('Dockerfile.dockerignore')
const [build, image] = stages

function copiedBy(stage: BuildStage | undefined): string[] {
  const copies = stage?.instructions.filter(({ word }) => word === 'COPY') ?? []
  return copies.flatMap(({ rest }) => rest.split(' ').slice(0, -1))
}

function runsOf(stage: BuildStage | undefined): string[] {
  const runs = stage?.instructions.filter(({ word }) => word === 'RUN') ?? []
  return runs.map(({ rest }) => rest)
}

describe('the image', () => {
  it('installs the npm package that another stage builds, without its build tools', () => {
    assert.equal(stages.length, 2)
    const copies = image?.instructions.filter(({ word }) => word === 'COPY').map(({ rest }) => rest)
    assert.deepEqual(copies, [`--from=${build?.name} /app/build/*.tgz /tmp/`])
    assert.deepEqual(runsOf(build), ['npm ci --ignore-scripts', 'node scripts/package/build-package.ts'])
    assert.match(runsOf(image).at(-1) ?? '', /^npm install --global --ignore-scripts \/tmp\/\*\.tgz /)
    for (const { base } of stages) assert.match(base, /^[a-z]+:(?!latest)[\w.-]+$/)
  })

  it('copies files that exist and that .dockerignore lets through', () => {
    const copied = copiedBy(build)
    assert.ok(copied.includes('src') && copied.includes('orbweaver') && copied.includes('web'))
    for (const path of copied) {
      assert.ok(existsSync(join(ROOT_FOLDER, path)), path)
      assert.ok(isInBuildContext(path, ignored), path)
    }
    for (const path of ['.git', 'node_modules', 'test', 'docs', 'deploy', 'web/dist', 'scripts/words'])
      assert.ok(!isInBuildContext(path, ignored), path)
  })

  it('has every file and package that the program needs', () => {
    const { files, packages } = findImportClosure(ROOT_FOLDER, 'src/main.ts')
    assert.ok(files.has('src/store/postgres/thread.ts') && files.has('src/worker/threads/crawl-thread.ts'))
    for (const file of files) assert.ok(isInBuildContext(file, ignored), file)
    assert.ok(packages.has('pg') && packages.has('entities'))
    const installed = mapAt(readYaml('../package.json'), 'dependencies')
    for (const name of packages) assert.ok(Object.hasOwn(installed, name), name)
  })

  it('contains no tests', () => {
    assert.ok(isInBuildContext('src/worker/health/health-server.ts', ignored))
    assert.ok(!isInBuildContext('src/worker/health/health-server.test.ts', ignored))
    assert.ok(!isInBuildContext('src/ports/contracts/workers.contract.ts', ignored))
    assert.ok(!isInBuildContext('src/store/testing/test-server.ts', ignored))
    assert.ok(isInBuildContext('web/app/main.tsx', ignored))
    assert.ok(!isInBuildContext('web/app/hooks/x.test.ts', ignored))
  })

  it('runs as a numeric user, not as root', () => {
    const [, uid = '', gid = ''] = /^(\d+):(\d+)$/.exec(lastInstruction(image, 'USER')) ?? []
    assert.ok(Number(uid) > 0 && Number(gid) > 0)
    assert.match(runsOf(image)[0] ?? '', new RegExp(`useradd --uid ${uid} `))
    for (const key of ['StatefulSet/worker', 'Deployment/api']) {
      const { runAsUser, runAsGroup, fsGroup } = mapAt(renderChart().get(key), 'spec.template.spec.securityContext')
      assert.deepEqual([runAsUser, runAsGroup, fsGroup], [Number(uid), Number(gid), Number(gid)])
    }
  })

  it('starts the launcher directly, with an existing command', () => {
    const [init, , file = ''] = JSON.parse(lastInstruction(image, 'ENTRYPOINT')) as string[]
    assert.deepEqual([init, file], ['/usr/bin/tini', '/usr/local/bin/orbweaver'])
    accessSync(join(ROOT_FOLDER, basename(file)), constants.X_OK)
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
    // With a read-only root, only these two folders are writable.
    const worker = valueAt(readYaml('compose.yaml'), 'services.worker')
    assert.ok(
      String(valueAt(worker, 'tmpfs.0')).startsWith('/tmp:') && env.get('NODE_COMPILE_CACHE')?.startsWith('/tmp/'),
    )
    assert.ok(String(valueAt(worker, 'volumes.0')).endsWith(`:${env.get('ORBWEAVER_DATA')}`))
  })

  it('is healthy while the health port responds', async () => {
    const words = JSON.parse(lastInstruction(image, 'HEALTHCHECK').replace(/^.*?CMD /, '')) as string[]
    assert.equal(words[0], '/usr/local/bin/node')
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
