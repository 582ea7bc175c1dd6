// The Node version and the entry point that the launcher runs.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { launcherPath } from '../testing/launcher.ts'
import { makeTemporaryFolder } from '../testing/program.ts'

const LONG_AGO = new Date('2026-01-01')

/** A clone without an installed Node package, where a Node of this version is on the PATH. */
function makeClone(t: TestContext, nodeVersion: string): string {
  const root = makeTemporaryFolder(t)
  for (const folder of ['node_modules', 'path', 'src/lib']) mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, 'node_modules', '.package-lock.json'), '{}')
  for (const file of ['package.json', 'src/main.ts', 'src/lib/clock.ts']) writeFileSync(join(root, file), '')
  const node = join(root, 'path', 'node')
  writeFileSync(node, `#!/bin/sh\n[ "$1" = --version ] && echo ${nodeVersion} || echo "ran $*"\n`)
  chmodSync(node, 0o755)
  copyFileSync(launcherPath, join(root, 'orbweaver'))
  return root
}

function addBundle(root: string): void {
  mkdirSync(join(root, 'dist'))
  writeUntilNewer(join(root, 'dist/main.js'), join(root, 'orbweaver'))
  writeUntilNewer(join(root, 'now'), join(root, 'dist/main.js'))
}

/** Times of files have steps of some milliseconds. */
function writeUntilNewer(file: string, than: string): void {
  do writeFileSync(file, '')
  while (statSync(file).mtimeMs <= statSync(than).ctimeMs)
}

function launch(root: string) {
  const env = { PATH: `${join(root, 'path')}:/usr/bin:/bin` }
  return spawnSync(join(root, 'orbweaver'), ['crawls'], { env, encoding: 'utf8' })
}

describe('the launcher', () => {
  it('uses the Node on the PATH if npm has installed none and it is new enough', (t) => {
    const { status, stdout } = launch(makeClone(t, 'v24.3.1'))
    assert.match(stdout, /^ran .*src\/main\.ts crawls\n$/)
    assert.equal(status, 0)
    assert.match(launch(makeClone(t, 'v26.0.0')).stdout, /^ran /)
  })

  it('says what to do otherwise', (t) => {
    const { status, stdout, stderr } = launch(makeClone(t, 'v20.20.2'))
    assert.deepEqual([status, stdout], [1, ''])
    assert.match(stderr, /Node 24 or later is required, but the PATH has v20\.20\.2\./)
  })

  it('runs the bundle of a clone', (t) => {
    const root = makeClone(t, 'v24.3.1')
    addBundle(root)
    assert.match(launch(root).stdout, /dist\/main\.js crawls\n$/)
  })

  const changes: Record<string, (root: string) => void> = {
    'a source was changed': (root) => writeFileSync(join(root, 'src/lib/clock.ts'), 'changed'),
    'a source was unpacked with its old modification time': (root) =>
      utimesSync(join(root, 'src/lib/clock.ts'), LONG_AGO, LONG_AGO),
    'a source was removed': (root) => rmSync(join(root, 'src/lib/clock.ts')),
    'the version was changed': (root) => writeFileSync(join(root, 'package.json'), '{}'),
  }
  for (const [change, make] of Object.entries(changes)) {
    it(`runs the sources if ${change} since it was bundled`, (t) => {
      const root = makeClone(t, 'v24.3.1')
      addBundle(root)
      make(root)
      assert.match(launch(root).stdout, /src\/main\.ts crawls\n$/)
    })
  }
})
