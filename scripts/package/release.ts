// Prepares a release: `npm run release -- 0.3.0` writes the version everywhere it is named, dates the changelog, and
// builds the tarball with its checksum in build/. Nothing is committed or published.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildPackage } from './build-package.ts'
import { dateChangelog } from './changelog.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const CHART = 'deploy/helm/orbweaver/Chart.yaml'
const DEPLOY_GUIDE = 'docs/guides/deploy.md'

function edit(file: string, change: (text: string) => string): void {
  const path = join(root, file)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

async function release(version: string): Promise<void> {
  const changed = run('git', ['status', '--porcelain'])
  if (changed !== '') throw new Error(`Commit or discard these changes first:\n${changed}`)
  edit('CHANGELOG.md', (text) => dateChangelog(text, version, new Date()))
  run('npm', ['version', version, '--no-git-tag-version'])
  edit(CHART, (text) => text.replace(/^((?:appV|v)ersion: ).*$/gm, `$1${version}`))
  edit(DEPLOY_GUIDE, (text) => text.replace(/(orbweaver:)\d+\.\d+\.\d+/g, `$1${version}`))
  run('npm', ['run', 'docs'])
  const tarball = await buildPackage()
  const digest = createHash('sha256').update(readFileSync(tarball)).digest('hex')
  writeFileSync(join(dirname(tarball), 'SHA256SUMS'), `${digest}  ${basename(tarball)}\n`)
  console.log(`${tarball}\nsha256 ${digest}\nNext: run the tests, commit, tag v${version}, and publish the tarball.`)
}

function run(command: string, args: string[]): string {
  return execFileSync(command, args, { cwd: root, encoding: 'utf8' })
}

try {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [version = ''] = positionals
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Give the version: npm run release -- 0.3.0')
  await release(version)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
