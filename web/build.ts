// Builds the web app when its sources are newer than what is built, so that starting the server twice builds once.
// `node web/build.ts --force` builds in any case. Of several at the same time one builds, and the others wait for it.

import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const here = fileURLToPath(new URL('.', import.meta.url))
const dist = join(here, 'dist')
const lockFile = join(here, '..', 'node_modules', '.web-build.db')
const LOCK_TIMEOUT_MS = 120_000
/** What the app is made from. */
const SOURCES = ['app', 'public', 'index.html', 'vite.config.ts', '../src/api/client.ts', '../package-lock.json']
/** Of everything that the first scene loads, packed. */
const FIRST_LOAD_MAX_BYTES = 250 * 1024

async function main(): Promise<void> {
  const isForced = process.argv.includes('--force')
  if (!isForced && (await isBuilt())) return
  using _lock = takeLock()
  if (!isForced && (await isBuilt())) return
  console.log('Building the web app.')
  // Only now: an installed package comes built and without the tools that built it.
  const { build } = await import('vite')
  await build({ configFile: join(here, 'vite.config.ts'), logLevel: 'warn' })
  await printSizes()
}

/** A lock of the database goes with its process, so it can never be stale. */
function takeLock(): Disposable {
  const lock = new DatabaseSync(lockFile)
  lock.exec(`pragma busy_timeout = ${LOCK_TIMEOUT_MS}; begin exclusive`)
  return { [Symbol.dispose]: () => lock.close() }
}

async function isBuilt(): Promise<boolean> {
  const builtMs = await newestChangeMs(join(dist, 'index.html'))
  if (builtMs === 0) return false
  const changedMs = await Promise.all(SOURCES.map((source) => newestChangeMs(join(here, source))))
  return Math.max(...changedMs) <= builtMs
}

/** When a file, or the newest file under a folder, was changed; 0 when there is none. */
async function newestChangeMs(path: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  if (found === null) return 0
  if (!found.isDirectory()) return found.mtimeMs
  const names = await readdir(path)
  return Math.max(found.mtimeMs, ...(await Promise.all(names.map((name) => newestChangeMs(join(path, name))))))
}

async function printSizes(): Promise<void> {
  const index = await readFile(join(dist, 'index.html'), 'utf8')
  const names = (await readdir(join(dist, 'assets'))).filter((name) => !name.endsWith('.map'))
  let firstLoad = gzipSync(index).length
  for (const name of names.toSorted()) {
    const bytes = gzipSync(await readFile(join(dist, 'assets', name))).length
    const isFirst = index.includes(name) || /^Crawls-/.test(name)
    if (isFirst) firstLoad += bytes
    console.log(`${isFirst ? '*' : ' '} ${name.padEnd(36)} ${kilobytes(bytes)} KB gzip`)
  }
  console.log(`  first scene (*): ${kilobytes(firstLoad)} KB gzip`)
  if (firstLoad > FIRST_LOAD_MAX_BYTES) {
    console.error(`The first scene loads more than ${kilobytes(FIRST_LOAD_MAX_BYTES)} KB.`)
    process.exitCode = 1
  }
}

function kilobytes(bytes: number): string {
  return (bytes / 1024).toFixed(1).padStart(6)
}

await main()
