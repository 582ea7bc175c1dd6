// Patterns with catastrophic backtracking in RegExp, on a site with URLs that trigger it.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { FAST_FLAGS, makeTemporaryFolder, parseSummary, runProgram } from '../testing/program.ts'
import { exportRows } from '../testing/run-in-process.ts'

it('URLs that trigger backtracking cannot stall a crawl', async (t) => {
  const traps = [`/q${'a'.repeat(40)}!`, `/${'-'.repeat(1_500)}`, `/${'x'.repeat(1_500)}`]
  const links = [...traps, '/qaaa', '/page', '/a-b-c-x'].map((path) => `<a href="${path}">${path}</a>`)
  const site = await servePlainSite(t, (path) => (path === '/' ? links.join('') : 'A page'))
  const patterns = [`^${site.origin.replaceAll('.', '[.]')}/q(a+)+$`, '.*-.*-.*-x$', '(x+x+)+y']
  const data = makeTemporaryFolder(t)
  const flags = patterns.flatMap((pattern) => ['--exclude', pattern])
  const programResult = await runProgram(['crawl', `${site.origin}/`, ...FAST_FLAGS, ...flags, '--data', data])
  assert.equal(programResult.code, 0, programResult.stderr)
  const rows = await exportRows(data, parseSummary(programResult).crawl_id)
  assert.deepEqual(rows.map(({ url }) => new URL(url).pathname).sort(), ['/', '/page', ...traps].sort())
})

it('a pattern that cannot be matched in linear time is rejected with an alternative', async (t) => {
  const data = makeTemporaryFolder(t)
  const { code, stderr } = await runProgram(['crawl', 'http://a.test/', '--exclude', '/(?!docs/)', '--data', data])
  assert.equal(code, 2)
  assert.match(
    stderr,
    /--exclude must be a regular expression without look-ahead such as \(\?!\.\.\.\): use a separate exclude pattern/,
  )
  assert.match(stderr, /it is "\/\(\?!docs\/\)"/)
})
