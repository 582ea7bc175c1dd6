// Builds the npm package: `npm run package` writes build/orbweaver-<version>.tgz. Node does not run TypeScript below
// node_modules, so the package has JavaScript (bundle-entries.ts), its declarations, the migrations, the assets and the built web app. Its lock
// file is the part of ours that the program needs at run time: an installation has exactly the tested versions.

import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleProgram } from './bundle-entries.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const build = join(root, 'build')
const folder = join(build, 'package')

const EXPORTS = {
  '.': { types: './dist/library/index.d.ts', default: './dist/library/index.js' },
  './package.json': './package.json',
}

interface Manifest {
  name: string
  version: string
  dependencies: Record<string, string>
  [field: string]: unknown
}

/** Returns the path of the tarball. */
export async function buildPackage(): Promise<string> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  run(process.execPath, ['web/build.ts'])
  cpSync(join(root, 'web/dist'), join(folder, 'web/dist'), {
    recursive: true,
    filter: (file) => !file.endsWith('.map'),
  })
  run('tsc', ['--project', 'scripts/package/tsconfig.json'])
  await bundleProgram(join(root, 'src'), join(folder, 'dist'))
  for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE', 'orbweaver'])
    copyFileSync(join(root, file), join(folder, file))
  chmodSync(join(folder, 'orbweaver'), 0o755)
  writeManifest()
  run('npm', ['pack', folder, '--silent', '--pack-destination', build])
  const { name, version } = readManifest()
  return join(build, `${name}-${version}.tgz`)
}

function writeManifest(): void {
  const { name, version, description, license, type, engines, bin, dependencies } = readManifest()
  const published = { name, version, description, license, type, engines, bin, exports: EXPORTS, dependencies }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  // npm drops from the lock file what the manifest does not ask for.
  copyFileSync(join(root, 'package-lock.json'), join(folder, 'npm-shrinkwrap.json'))
  copyFileSync(join(root, '.npmrc'), join(folder, '.npmrc'))
  run('npm', ['install', '--prefix', folder, '--package-lock-only', '--ignore-scripts', '--prefer-offline'])
  rmSync(join(folder, '.npmrc'))
}

function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
}

function run(command: string, args: string[]): void {
  const path = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`
  execFileSync(command, args, {
    cwd: root,
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

if (import.meta.main) console.log(await buildPackage())
