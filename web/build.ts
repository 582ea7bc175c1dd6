// Builds the web app if its sources are newer than the last build. `node web/build.ts --force` always builds.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { buildIfChanged } from '../scripts/package/build-if-changed.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const dist = join(here, 'dist')
/** The inputs of the build. */
const SOURCES = ['app', 'public', 'index.html', 'vite.config.ts', '../src/api/client.ts', '../package-lock.json']
/** Limit for everything that the first scene loads, compressed with gzip. */
const FIRST_LOAD_MAX_BYTES = 250 * 1024

async function buildWebApp(isForced: boolean): Promise<void> {
  console.log('Building the web app')
  // Imported only here: an installed package is already built and has no build tools.
  const { build } = await import('vite')
  await build({ configFile: join(here, 'vite.config.ts'), logLevel: 'warn' })
  await checkSizes(isForced)
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

const isForced = process.argv.includes('--force')
await buildIfChanged({
  sources: SOURCES.map((source) => join(here, source)),
  result: join(dist, 'index.html'),
  lockFile: join(here, '../node_modules/.web-build.db'),
  isForced,
  run: () => buildWebApp(isForced),
})
