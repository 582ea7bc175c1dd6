// `npm run bundle`: bundles the program of a clone into dist/, if its sources have changed. The launcher runs the bundle
// unless a source file is newer, since it starts in half the CPU time. `npm install`, `npm start` and the tests run this.

import { rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildIfChanged } from './package/build-if-changed.ts'
import { replaceBundle } from './package/replace-bundle.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

async function bundle(): Promise<void> {
  console.log('Bundling the program')
  const startedAt = new Date()
  const built = join(root, 'build/dist')
  rmSync(built, { recursive: true, force: true })
  // Imported only here: an installation without development packages has no bundler.
  const { bundleProgram } = await import('./package/bundle-entries.ts')
  await bundleProgram(join(root, 'src'), built)
  // A source that changes while it is bundled must count as newer.
  utimesSync(join(built, 'main.js'), startedAt, startedAt)
  replaceBundle(built, dist, Date.now())
}

await buildIfChanged({
  // The version is in the bundle. The launcher looks for changes in src and package.json.
  sources: ['src', 'package.json', 'scripts/package', 'scripts/bundle.ts'].map((path) => join(root, path)),
  result: join(dist, 'main.js'),
  lockFile: join(root, 'node_modules/.bundle.db'),
  isForced: process.argv.includes('--force'),
  run: bundle,
})
