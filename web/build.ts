// Builds the web app if its sources are newer than the last build. `node web/build.ts --force` always builds. If
// several processes start it at once, one builds and the others wait.

import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const here = fileURLToPath(new URL('.', import.meta.url))
const dist = join(here, 'dist')
const lockFile = join(here, '..', 'node_modules', '.web-build.db')
const LOCK_TIMEOUT_MS = 120_000
/** The inputs of the build. */
const SOURCES = ['app', 'public', 'index.html', 'vite.config.ts', '../src/api/client.ts', '../package-lock.json']
/** Limit for everything that the first scene loads, compressed with gzip. */
const FIRST_LOAD_MAX_BYTES = 250 * 1024

async function main(): Promise<void> {
  const isForced = process.argv.includes('--force')
  if (!isForced && (await isBuilt())) return
  using _lock = takeLock()
  if (!isForced && (await isBuilt())) return
  console.log('Building the web app')
  // Imported only here: an installed package is already built and has no build tools.
  const { build } = await import('vite')
  await build({ configFile: join(here, 'vite.config.ts'), logLevel: 'warn' })
  await checkSizes(isForced)
}

/** A database lock ends with its process, so it is never stale. */
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

/** Modification time of a file, or of the newest file in a folder; 0 if it does not exist. */
async function newestChangeMs(path: string): Promise<number> {
  const stats = await stat(path).catch(() => null)
  if (stats === null) return 0
  if (!stats.isDirectory()) return stats.mtimeMs
  const names = await readdir(path)
  return Math.max(stats.mtimeMs, ...(await Promise.all(names.map((name) => newestChangeMs(join(path, name))))))
}

/** `isListed`: also prints every file. */
async function checkSizes(isListed: boolean): Promise<void> {
  const index = await readFile(join(dist, 'index.html'), 'utf8')
  const names = (await readdir(join(dist, 'assets'))).filter((name) => !name.endsWith('.map'))
  let firstLoad = gzipSync(index).length
  for (const name of names.toSorted()) {
    const bytes = gzipSync(await readFile(join(dist, 'assets', name))).length
    const isFirst = index.includes(name) || /^(Crawls|inter-latin-wght)-/.test(name)
    if (isFirst) firstLoad += bytes
    if (isListed) console.log(`${isFirst ? '*' : ' '} ${name.padEnd(36)} ${kilobytes(bytes)} KB gzip`)
  }
  if (isListed) console.log(`  first scene (*): ${kilobytes(firstLoad)} KB gzip`)
  if (firstLoad > FIRST_LOAD_MAX_BYTES) {
    console.error(`The first scene is larger than the limit of ${kilobytes(FIRST_LOAD_MAX_BYTES).trim()} KB.`)
    process.exitCode = 1
  }
}

function kilobytes(bytes: number): string {
  return (bytes / 1024).toFixed(1).padStart(6)
}

await main()
