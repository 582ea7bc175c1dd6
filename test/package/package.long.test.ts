// The npm package as its users get it: built from the files that the image is built from, installed in an empty folder,
// and run from there.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, statSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { ROOT_FOLDER, readText } from '../deploy/testing/deploy-files.ts'
import { isInBuildContext } from '../deploy/testing/parse-dockerfile.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { environmentWithoutSettings, makeTemporaryFolder } from '../testing/program.ts'

/** More would mean a dependency that nobody has weighed. */
const MAX_PACKAGES = 65
const MAX_MEGABYTES = 60

const PATH = `${join(ROOT_FOLDER, 'node_modules/.bin')}:${process.env.PATH}`
const env = { ...environmentWithoutSettings(), PATH }

async function run(command: string, args: string[], cwd: string): Promise<string> {
  return (await promisify(execFile)(command, args, { env, cwd })).stdout
}

/** Copies what the image is built from, and builds there. Returns the path of the tarball. */
async function buildPackage(t: TestContext): Promise<string> {
  const folder = makeTemporaryFolder(t)
  const ignored = readText('Dockerfile.dockerignore')
  const filter = (source: string) => {
    const path = relative(ROOT_FOLDER, source)
    return path === '' || path === 'scripts' || isInBuildContext(path, ignored)
  }
  cpSync(ROOT_FOLDER, folder, { recursive: true, filter })
  // Where npm ci would install them.
  symlinkSync(join(ROOT_FOLDER, 'node_modules'), join(folder, 'node_modules'))
  return (await run(process.execPath, ['scripts/package/build-package.ts'], folder)).trim()
}

function describeSize(folder: string): { packages: number; megabytes: number } {
  const files = globSync('node_modules/**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile())
  const packages = files.filter(
    ({ name, parentPath }) => name === 'package.json' && /\/node_modules\/(@[^/]+\/)?[^/]+$/.test(parentPath),
  )
  const bytes = files.reduce((sum, { name, parentPath }) => sum + statSync(join(parentPath, name)).size, 0)
  return { packages: packages.length, megabytes: Math.round(bytes / 1e6) }
}

describe('the npm package', () => {
  it('is built without the repository, installed in an empty folder, crawls, searches and serves', async (t) => {
    const tarball = await buildPackage(t)
    const folder = makeTemporaryFolder(t)
    await run('npm', ['install', '--prefix', folder, '--prefer-offline', '--no-save', tarball], folder)
    const orbweaver = join(folder, 'node_modules/.bin/orbweaver')
    const data = ['--data', join(folder, 'data')]

    const { packages, megabytes } = describeSize(folder)
    const kilobytes = Math.round(statSync(tarball).size / 1000)
    t.diagnostic(`tarball ${kilobytes} kB; installed ${packages} packages, ${megabytes} MB`)
    assert.ok(packages <= MAX_PACKAGES, `${packages} packages`)
    assert.ok(megabytes <= MAX_MEGABYTES, `${megabytes} MB`)
    const own = globSync('node_modules/orbweaver/**/*.ts', { cwd: folder }).filter((file) => !file.endsWith('.d.ts'))
    assert.deepEqual(own, [])

    const site = await servePlainSite(t, (path) =>
      path === '/' ? '<title>Orchard</title><p>Two apple trees<a href="/pears">pears</a>' : '<p>One pear tree',
    )
    const flags = ['--allow-private', '--delay', '0', '--ignore-robots']
    const crawled = await run(orbweaver, ['crawl', site.origin, ...flags, '--json', ...data], folder)
    assert.match(crawled, /"type":"summary".*"visited":2,/)
    await run(orbweaver, ['index', 'run', ...data], folder)
    assert.match(await run(orbweaver, ['search', 'apple', ...data], folder), /Orchard/)

    const ports = ['--port', '0', '--health-port', '0', '--min-free-disk', '0']
    const server = spawn(orbweaver, ['start', ...ports, ...data], { env, cwd: folder })
    t.after(() => server.kill('SIGKILL'))
    let output = ''
    const address = await new Promise<string>((resolve, reject) => {
      server.once('exit', () => reject(new Error(output)))
      const read = (chunk: Buffer) => {
        output += chunk
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? []
        if (found !== undefined) resolve(found)
      }
      server.stdout.on('data', read)
      server.stderr.on('data', read)
    })
    const page = await (await fetch(`${address}/`)).text()
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? []
    assert.equal((await fetch(`${address}${script}`)).status, 200)
    server.kill('SIGTERM')
    assert.equal((await once(server, 'exit'))[0], 0, output)
  })
})
