// The npm package as its users get it: built from the files that the image is built from, installed in an empty folder,
// and run from there.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  globSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { ROOT_FOLDER, readText } from '../deploy/testing/deploy-files.ts'
import { isInBuildContext } from '../deploy/testing/parse-dockerfile.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { environmentWithoutSettings, makeTemporaryFolder } from '../testing/program.ts'

const EXAMPLES = join(ROOT_FOLDER, 'examples')

/** More packages would mean a dependency that was added without a decision. */
const MAX_PACKAGES = 65
const MAX_MEGABYTES = 60

const TYPED_PROGRAM = `import { crawl, moveStore, openStore, type Page } from 'orbweaver'
for await (const page of crawl('a.test', { maxPages: 3, recrawlMin: '6h', scope: 'host' })) {
  const { title }: Page = page
  console.log(title?.length, (await page.read()).text.length)
}
const extract = [{ name: 'price', selector: '.price', type: 'number' }] as const
crawl('a.test', { extract }, { shouldFollow: ({ url }) => url.length < 99, extract: async () => ({ a: [1, 'b'] }) })
// @ts-expect-error
crawl('a.test', {}, { extract: () => ({ a: { b: 1 } }) })
// @ts-expect-error
crawl('a.test', { nope: 1 })
// @ts-expect-error
crawl('a.test', { scope: 'galaxy' })
const store = await openStore({ data: 'x' })
for (const stored of await store.crawls()) {
  const queued: number = await stored.retry('failed')
  if (queued > 0) await stored.resume()
  // @ts-expect-error
  await stored.retry('lost')
}
const { monitorId, openHits } = await store.monitors.add({ name: 'apples', rule: { kind: 'words', words: ['apple'] } })
if (openHits === 0) await store.monitors.update(monitorId, { rule: { kind: 'copies' }, include: ['/blog/'] })
// @ts-expect-error
await store.monitors.add({ name: 'apples', rule: { kind: 'word', word: 'apple' } })
await store.policies.set('*.a.test', { delay: 2000, recrawlMin: '6h', rate: null })
// @ts-expect-error
await store.policies.set('*.a.test', { per_host: 1 })
const { token }: { token: string } = await store.tokens.create({ name: 'ci', scope: 'read', expires: '30d' })
for (const worker of await store.workers()) if (worker.state === 'lost') await worker.drain({ force: true })
const { rows } = await moveStore('x', 'postgres://a.test/b', { signal: AbortSignal.timeout(9), force: true })
console.log(token, rows['urls'], (await store.archive.expire()).bytesFreed)
`

const PATH = `${join(ROOT_FOLDER, 'node_modules/.bin')}:${process.env.PATH}`
const env = { ...environmentWithoutSettings(), PATH }

async function run(command: string, args: string[], cwd: string): Promise<string> {
  return (await promisify(execFile)(command, args, { env, cwd })).stdout
}

/** The public declarations, without the declarations that they import. */
function readDeclarations(folder: string): string {
  const read = (name: string) => `// ${name}\n${readFileSync(join(folder, `${name}.d.ts`), 'utf8')}`
  const index = read('index')
  const exported = new Set([...index.matchAll(/from '\.\/([\w-]+)\.ts'/g)].map(([, name = '']) => name))
  return [index, ...[...exported].map(read)].join('\n')
}

/** Copies the build context of the image, and builds there. Returns the path of the tarball. */
async function buildPackage(t: TestContext): Promise<string> {
  const folder = makeTemporaryFolder(t)
  const ignored = readText('Dockerfile.dockerignore')
  const filter = (source: string) => {
    const path = relative(ROOT_FOLDER, source)
    return path === '' || path === 'scripts' || isInBuildContext(path, ignored)
  }
  cpSync(ROOT_FOLDER, folder, { recursive: true, filter })
  // The folder into which npm ci would install them.
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
      path === '/'
        ? '<title>Orchard</title><p>Two apple trees<a href="/pears">pears</a>'
        : '<title>Pears</title><p class=price>1.50 EUR',
    )
    const flags = ['--allow-private', '--delay', '0', '--ignore-robots']
    const crawled = await run(orbweaver, ['crawl', site.origin, ...flags, '--json', ...data], folder)
    assert.match(crawled, /"type":"summary".*"visited":2,/)
    for (const name of readdirSync(EXAMPLES)) copyFileSync(join(EXAMPLES, name), join(folder, name))
    const settings = { ORBWEAVER_ALLOW_PRIVATE: 'true', ORBWEAVER_DELAY: '0', ORBWEAVER_DATA: join(folder, 'data') }
    const runExample = async (name: string, word: string) =>
      (await promisify(execFile)('node', [name, word], { env: { ...env, ...settings }, cwd: folder })).stdout
    assert.match(await runExample('list-pages.mjs', site.origin), /^200 http:\S+\/ Orchard$/m)
    assert.deepEqual(JSON.parse(await runExample('extract-prices.mjs', site.origin)), {
      url: `${site.origin}/pears`,
      title: 'Pears',
      price: 1.5,
    })
    const [first = ''] = (await runExample('decide-and-extract.mjs', site.origin)).split('\n')
    assert.ok(JSON.parse(first).words > 1, first)
    const reported = await runExample('report-crawl.mjs', site.origin)
    assert.match(reported, /^Two apple trees.*^The crawl has not found this URL: no visited page links to it/ms)
    assert.match(readFileSync(join(folder, 'crawl.csv'), 'utf8'), /\/pears,/)
    assert.match(await runExample('resume-and-search.mjs', 'apple'), /^Orchard\n {2}http/m)
    assert.match(await run(orbweaver, ['search', 'apple', ...data], folder), /Orchard/)
    const maintained = await runExample('maintain-store.mjs', '')
    assert.match(maintained, /: 2 pages, sound, \d+ deleted\n {2}0 added, 0 removed, 0 changed\n.*^2 documents$/ms)
    assert.match(maintained, /^0 expired, 0 problems in the archive$/m)
    assert.match(await runExample('watch-words.mjs', 'apple'), /^http:\S+\/: .*apple/)
    assert.equal(await runExample('watch-words.mjs', 'apple'), '')

    writeFileSync(join(folder, 'typed.mts'), TYPED_PROGRAM)
    const types = ['--typeRoots', join(ROOT_FOLDER, 'node_modules/@types'), '--types', 'node']
    await run(
      'tsc',
      ['--noEmit', '--module', 'nodenext', '--target', 'esnext', '--strict', ...types, 'typed.mts'],
      folder,
    )

    const report = join(ROOT_FOLDER, 'src/library/api-report.txt')
    const declarations = readDeclarations(join(folder, 'node_modules/orbweaver/dist/library'))
    if (process.env['UPDATE_API_REPORT'] === '1') writeFileSync(report, declarations)
    assert.equal(
      declarations,
      readFileSync(report, 'utf8'),
      'If the change is intended, run this with UPDATE_API_REPORT=1.',
    )

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
