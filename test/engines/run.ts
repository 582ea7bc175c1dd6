// `npm run test:engines`: tests on real engines that `npm test` does not need. Builds or finds each engine, keeps what it
// built in .engines, and says which engines it skipped and why. Fails if a test fails.
//   npm run test:engines -- s3      only this engine

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { findSearchEngine } from './opensearch/find-search-engine.ts'
import { SEARCH_ENGINES, type SearchEngineName } from './opensearch/search-engines.ts'
import { findProxies } from './proxies/find-proxies.ts'
import { findS3Server } from './s3/find-s3-server.ts'
import { findApache } from './web-servers/find-apache.ts'
import { findNginx } from './web-servers/find-nginx.ts'
import { findZstd } from './zstd/find-zstd.ts'

interface Engine {
  name: string
  /** Names it for the tests. */
  variable: string
  /** Returns the path of its program or folder, or throws with the reason why it cannot be had. */
  find: (cache: string, signal: AbortSignal) => Promise<string>
  tests: string
}

const ENGINES: Engine[] = [
  { name: 'proxies', variable: 'TEST_PROXIES', find: findProxies, tests: 'test/engines/proxies/*.engine.test.ts' },
  {
    name: 'apache',
    variable: 'TEST_APACHE',
    find: findApache,
    tests: 'test/engines/web-servers/digest.engine.test.ts',
  },
  { name: 'nginx', variable: 'TEST_NGINX', find: findNginx, tests: 'test/engines/web-servers/http2.engine.test.ts' },
  { name: 'zstd', variable: 'TEST_ZSTD', find: findZstd, tests: 'test/engines/zstd/*.engine.test.ts' },
  { name: 's3', variable: 'TEST_S3_SERVER', find: findS3Server, tests: 'test/engines/s3/*.engine.test.ts' },
  ...(Object.keys(SEARCH_ENGINES) as SearchEngineName[]).map((name) => ({
    name,
    variable: SEARCH_ENGINES[name].variable,
    find: (cache: string, signal: AbortSignal) => findSearchEngine(name, cache, signal),
    tests: `test/engines/opensearch/contract-${name}.engine.test.ts`,
  })),
]

/** Tests that run on one of the available search engines. */
const SEARCH_TESTS = 'test/engines/opensearch/{cluster,killed-writes,queries}.engine.test.ts'
const MAX_BUILD_MS = 600_000
const root = fileURLToPath(new URL('../../', import.meta.url))
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !ENGINES.some((engine) => engine.name === name))
if (unknown.length > 0) throw new Error(`There is no engine ${unknown.join(', ')}.`)

const found: Engine[] = []
const skipped: string[] = []
for (const engine of ENGINES.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  try {
    const signal = AbortSignal.timeout(MAX_BUILD_MS)
    process.env[engine.variable] ??= await engine.find(`${root}.engines`, signal)
    found.push(engine)
    console.log(`${engine.name}: ${process.env[engine.variable]}`)
  } catch (error) {
    skipped.push(`${engine.name}: skipped. ${error instanceof Error ? error.message : String(error)}`)
  }
}
const tests = found.map((engine) => engine.tests)
if (found.some(({ name }) => name in SEARCH_ENGINES)) tests.push(SEARCH_TESTS)
if (tests.length > 0) process.exitCode = await runTests(tests)
for (const line of skipped) console.log(line)

async function runTests(patterns: string[]): Promise<number> {
  const flags = ['--test', '--test-concurrency=2', '--test-timeout=900000']
  const setup = '--test-global-setup=test/testing/global-setup.ts'
  const child = spawn(process.execPath, [...flags, setup, ...patterns], { cwd: root, stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
