// When a bundle is built, and which files of the previous one stay.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { buildIfChanged } from '../../scripts/package/build-if-changed.ts'
import { replaceBundle } from '../../scripts/package/replace-bundle.ts'
import { makeTemporaryFolder } from '../testing/program.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 0, 20)

function write(folder: string, files: readonly string[], writtenMs: number): void {
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), file)
    utimesSync(join(folder, file), writtenMs / 1000, writtenMs / 1000)
  }
}

describe('a new bundle', () => {
  function replace(t: TestContext, lastBuiltMs: number, now: number) {
    const folder = makeTemporaryFolder(t)
    const [built, dist] = [join(folder, 'built'), join(folder, 'dist')]
    write(dist, ['main.js', 'thread.js', 'chunks/a-1.js'], lastBuiltMs)
    write(dist, ['chunks/a-0.js'], lastBuiltMs - DAY_MS)
    write(built, ['main.js', 'thread.js', 'chunks/a-2.js'], now)
    replaceBundle(built, dist, now)
    return { dist, chunks: () => readdirSync(join(dist, 'chunks')).sort() }
  }

  it('leaves the chunks of the last one for a week after it was replaced, however old it was', (t) => {
    const { dist, chunks } = replace(t, NOW - 30 * DAY_MS, NOW)
    assert.deepEqual(chunks(), ['a-1.js', 'a-2.js'])
    const next = join(dist, '..', 'next')
    const files = ['main.js', 'thread.js', 'chunks/a-3.js']
    write(next, files, NOW + 6 * DAY_MS)
    replaceBundle(next, dist, NOW + 6 * DAY_MS)
    assert.deepEqual(chunks(), ['a-1.js', 'a-2.js', 'a-3.js'])
    write(next, files, NOW + 8 * DAY_MS)
    replaceBundle(next, dist, NOW + 8 * DAY_MS)
    assert.deepEqual(chunks(), ['a-2.js', 'a-3.js'])
  })

  it('is the first one of a clone', (t) => {
    const folder = makeTemporaryFolder(t)
    write(join(folder, 'built'), ['main.js', 'chunks/a-1.js'], NOW)
    replaceBundle(join(folder, 'built'), join(folder, 'dist'), NOW)
    assert.ok(existsSync(join(folder, 'dist/main.js')) && existsSync(join(folder, 'dist/chunks/a-1.js')))
  })
})

describe('a build', () => {
  it('runs if a source has changed, also with an old modification time, and otherwise only by force', async (t) => {
    const folder = makeTemporaryFolder(t)
    const [source, result] = [join(folder, 'src/a.ts'), join(folder, 'main.js')]
    write(folder, ['src/a.ts'], NOW)
    let builds = 0
    const build = (isForced = false) =>
      buildIfChanged({
        sources: [join(folder, 'src')],
        result,
        lockFile: join(folder, 'lock.db'),
        isForced,
        async run() {
          builds += 1
          // Simulates a build that ends in an hour, so that it is newer on every clock.
          write(folder, ['main.js'], Date.now() + 3_600_000)
        },
      })
    await build()
    await build()
    assert.equal(builds, 1)
    await build(true)
    assert.equal(builds, 2)
    write(folder, ['main.js'], Date.now() - 1000)
    utimesSync(source, 0, 0)
    await build()
    assert.equal(builds, 3)
  })
})
