// A crawl of a few pages spends most of its time on loading modules, so packages are loaded when they are used.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { servePlainSite } from '../sites/plain-site.ts'
import { makeTemporaryFolder, runProgram } from '../testing/program.ts'

const PRELOADED = pathToFileURL(join(import.meta.dirname, 'testing/note-modules.ts')).href

it('a plain crawl loads only the packages that it needs', async (t) => {
  const site = await servePlainSite(t, () => '<title>Pears</title><p>Pears & apples <a href="/a">a</a>')
  const folder = makeTemporaryFolder(t)
  const noted = join(folder, 'modules.txt')
  const env = { NODE_OPTIONS: `--import ${PRELOADED}`, NOTED_MODULES: noted }
  const crawl = ['crawl', site.origin, '--data', join(folder, 'data'), '--allow-private', '--delay', '0']
  const { code, stderr } = await runProgram(crawl, { env })
  assert.equal(code, 0, stderr)
  const urls = readFileSync(noted, 'utf8').split('\n')
  assert.ok(
    urls.some((url) => /\/crawl-thread\.[jt]s$/.test(url)),
    'modules of threads are noted',
  )
  const packages = urls.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? [])
  // This package decodes pages.
  assert.deepEqual([...new Set(packages)].sort(), ['entities'])
})
