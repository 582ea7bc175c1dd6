// Patterns that would keep RegExp busy for ever, on a site that offers just the urls for it.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { servePlain } from '../sites/plain.ts'
import { exportRows, FAST, run, summaryOf, temporaryFolder } from './program.ts'

it('a site cannot stall a crawl by urls that its patterns stumble over', async (t) => {
  const traps = [`/q${'a'.repeat(40)}!`, `/${'-'.repeat(1_500)}`, `/${'x'.repeat(1_500)}`]
  const links = [...traps, '/qaaa', '/page', '/a-b-c-x'].map((path) => `<a href="${path}">${path}</a>`)
  const site = await servePlain(t, (path) => (path === '/' ? links.join('') : 'A page'))
  const patterns = [`^${site.origin.replaceAll('.', '[.]')}/q(a+)+$`, '.*-.*-.*-x$', '(x+x+)+y']
  const data = temporaryFolder(t)
  const flags = patterns.flatMap((pattern) => ['--exclude', pattern])
  const ended = await run(['crawl', `${site.origin}/`, ...FAST, ...flags, '--data', data])
  assert.equal(ended.code, 0, ended.stderr)
  const rows = await exportRows(data, summaryOf(ended).crawl_id)
  assert.deepEqual(rows.map(({ url }) => new URL(url).pathname).sort(), ['/', '/page', ...traps].sort())
})

it('a pattern that cannot be matched in linear time is refused with what to do instead', async (t) => {
  const data = temporaryFolder(t)
  const { code, stderr } = await run(['crawl', 'http://a.test/', '--exclude', '/(?!docs/)', '--data', data])
  assert.equal(code, 2)
  assert.match(
    stderr,
    /--exclude must be a regular expression without look-ahead such as \(\?!\.\.\.\): say what to leave/,
  )
  assert.match(stderr, /it is "\/\(\?!docs\/\)"/)
})
