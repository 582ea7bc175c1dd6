// Damage to the archive is reported, and affects nothing else.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { readWithWarcio } from '../../src/archive/testing/read-with-warcio.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { runProgram } from '../testing/program.ts'
import { crawlPlainSite } from './testing/plain-crawl.ts'

const FAST = ['--delay', '0', '--ignore-robots', '--cooldown', '0', '--no-traps']

describe('a damaged archive', () => {
  it('is reported, and so is a page without an archived response', async (t) => {
    const site = await servePlainSite(t, () => '<p>page</p>')
    const { data } = await crawlPlainSite(t, site, FAST)
    const missing = await runProgram(['page', 'http://nowhere.test/', '--data', data])
    assert.deepEqual([missing.code, missing.stderr], [2, 'orbweaver: The archive has no page http://nowhere.test/.\n'])
    const [segment = ''] = readdirSync(join(data, 'archive'))
    const bytes = readFileSync(join(data, 'archive', segment))
    bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 255
    writeFileSync(join(data, 'archive', segment), bytes)
    const verified = await runProgram(['archive', 'verify', '--data', data])
    assert.equal(verified.code, 1)
    assert.match(verified.stdout, /Broken: .*torn or broken\nBroken: the page http:.* cannot be read back/)
    assert.equal((await runProgram(['page', `${site.origin}/`, '--text', '--data', data])).code, 1)
  })

  it('is repaired by the next visit with the same content, for every version that refers to it', async (t) => {
    let round = 1
    const same = `<p>always the same</p>${'x'.repeat(2000)}`
    const site = await servePlainSite(t, (path) => (path === '/' ? `<p>${round}</p><a href="/same">x</a>` : same))
    const { data } = await crawlPlainSite(t, site, FAST)
    const again = async () => {
      round += 1
      const { code, stderr } = await runProgram([
        'crawl',
        `${site.origin}/`,
        '--allow-private',
        ...FAST,
        '--quiet',
        '--data',
        data,
      ])
      assert.equal(code, 0, stderr)
    }
    const textOf = async (version: number) =>
      runProgram(['page', `${site.origin}/same`, '--version', String(version), '--text', '--data', data])
    await again()
    const archive = join(data, 'archive')
    // Segments of the same second are in no particular order.
    const records = (await readWithWarcio(archive)).filter(({ url }) => url === `${site.origin}/same`)
    assert.deepEqual(records.map(({ type }) => type).sort(), ['response', 'revisit'])
    const first = records.find(({ type }) => type === 'response') ?? assert.fail()
    const bytes = readFileSync(join(archive, first.segment))
    bytes.writeUInt8(bytes.readUInt8(first.offset + 40) ^ 255, first.offset + 40)
    writeFileSync(join(archive, first.segment), bytes)
    for (const version of [1, 2]) assert.equal((await textOf(version)).code, 1)

    for (let i = 0; i < 2; i++) await again()
    for (const version of [1, 2, 3, 4]) {
      assert.match((await textOf(version)).stdout, /^always the same/, `version ${version}`)
    }
    const { code, stdout } = await runProgram(['archive', 'verify', '--data', data])
    assert.equal(code, 1)
    assert.match(stdout, /Broken: the headers of http:\S+\/same are lost, its content is not/)
    assert.doesNotMatch(stdout, /cannot be read back/)
  })

  it('is reported if the store has lost the location of a page', async (t) => {
    const site = await servePlainSite(t, () => '<p>page</p>')
    const { data, summary } = await crawlPlainSite(t, site, FAST)
    const db = new DatabaseSync(join(data, 'store.db'))
    db.exec('delete from segments')
    db.close()
    const verified = await runProgram(['archive', 'verify', '--data', data])
    assert.equal(verified.code, 1)
    assert.match(verified.stdout, /Broken: the page http:.* cannot be read back: The store has lost its position/)
    const page = await runProgram(['page', `${site.origin}/`, '--text', '--data', data])
    assert.match(page.stderr, /were archived, but the store no longer knows where/)
    for (const format of ['warc', 'pages.jsonl']) {
      const exported = await runProgram(['export', summary.crawl_id, '--format', format, '--data', data])
      assert.match(exported.stderr, /Skipped a damaged record: http:.*no longer knows where/)
    }
  })

  it('is distinguished from segments that no page refers to', async (t) => {
    const site = await servePlainSite(t, () => '<p>page</p>')
    const { data } = await crawlPlainSite(t, site, FAST)
    const [segment = ''] = readdirSync(join(data, 'archive'))
    const bytes = readFileSync(join(data, 'archive', segment))
    writeFileSync(join(data, 'archive', '20200101T000000-dead-00000.warc.zst'), bytes)
    const verified = await runProgram(['archive', 'verify', '--data', data])
    assert.equal(verified.code, 0)
    assert.match(verified.stdout, /\nNo page refers to 1 segment of /)
    const { unused_segments, unused_bytes } = JSON.parse(
      (await runProgram(['archive', 'verify', '--json', '--data', data])).stdout,
    )
    assert.deepEqual([unused_segments, unused_bytes], [1, bytes.length])
  })

  it('cannot be caused by a server', async (t) => {
    const site = await servePlainSite(t, (path) => {
      if (path === '/') return '<a href="/coded">a</a><a href="/phrase">b</a>'
      if (path === '/coded') {
        const body = brotliCompressSync(gzipSync('<p>Hello'))
        return { headers: { 'content-encoding': ['gzip', 'br'] }, body }
      }
      // Two characters of two bytes each, whose low bytes equal those of a line end.
      return { phrase: Buffer.from('\u010d\u010a\u010d\u010a').toString('latin1'), body: '<p>Odd' }
    })
    const { data } = await crawlPlainSite(t, site, FAST)
    for (const [path, text] of [
      ['/coded', 'Hello\n'],
      ['/phrase', 'Odd\n'],
    ] as const) {
      const { stdout, stderr } = await runProgram(['page', site.origin + path, '--text', '--data', data])
      assert.equal(stdout, text, stderr)
    }
    assert.equal((await runProgram(['archive', 'verify', '--data', data])).code, 0)
    const problems = (await readWithWarcio(join(data, 'archive'))).flatMap(({ problems: found }) => found)
    assert.deepEqual(problems, [])
  })
})
