import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addCrawl, addUrls, TEST_CRAWL } from '../testing/crawl-rows.ts'
import { makePageWriter, PAGE_REPORT } from '../testing/page-writer.ts'

it('a version reads back as it was reported', async (t) => {
  const { add, visit, pages } = await makePageWriter(t, 1)
  const text = { charset: 'latin1', lang: 'de', description: 'A "b", {c}\\', keywords: 'a\0b', note: 'binary' }
  await add(visit(1, { ...text, fingerprint: 0xff_ffff_ffff_ffffn }))
  const [version] = await pages.history('http://a.test/1')
  assert.deepEqual(version, {
    id: 1,
    crawlId: TEST_CRAWL,
    url: 'http://a.test/1',
    version: 1,
    visitedAt: 3000,
    expiresAt: 9000,
    firstSeenAt: 1000,
    changes: 0,
    httpStatus: 200,
    contentType: null,
    contentLength: 5_000_000_000,
    contentHash: null,
    title: 'Title',
    payloadDigest: PAGE_REPORT.digest,
    redirectTo: null,
    canonical: null,
    noindex: true,
    fetchMs: 5,
    words: 3,
    wireBytes: 5_000_000_000,
    fingerprint: '72057594037927935',
    resembles: null,
    // Postgres text has no NUL character.
    ...text,
    keywords: 'a\ufffdb',
    isArchived: true,
    isDamaged: false,
    isRequisite: false,
    record: PAGE_REPORT.position,
    payload: PAGE_REPORT.position,
  })
})

it('pages of one batch may have the same payload, and be near-duplicates of each other', async (t) => {
  const { add, visit, pages } = await makePageWriter(t, 3)
  const fingerprint = 0xabcdefn
  const again = { segment: 's2', offset: 0, length: 9 }
  await add(
    visit(1, { fingerprint }),
    visit(2, { fingerprint: fingerprint ^ 1n, position: again }),
    visit(3, { hasPayload: false, position: again }),
  )
  const [one, two, three] = await Array.fromAsync(pages.listByCrawl(TEST_CRAWL))
  assert.deepEqual([one?.resembles, two?.resembles, three?.resembles], [null, one?.id, null])
  for (const page of [one, two, three]) assert.deepEqual(page?.payload, PAGE_REPORT.position)
  assert.deepEqual([two?.record, three?.record], [again, again])
})

it('an unknown payload that was left out is an error, and nothing is written', async (t) => {
  const { add, visit, pages } = await makePageWriter(t, 1)
  await assert.rejects(add(visit(1, { hasPayload: false })), { code: 'INTERNAL' })
  assert.deepEqual(await pages.history('http://a.test/1'), [])
})

it('a segment first named in a failed transaction is added again', async (t) => {
  const { pool, add, addOn, visit, pages } = await makePageWriter(t, 1)
  const client = await pool.connect()
  await client.query('begin')
  await addOn(client, [visit(1)])
  await client.query('rollback')
  client.release()
  await add(visit(1))
  assert.deepEqual((await pages.history('http://a.test/1'))[0]?.record, PAGE_REPORT.position)
  assert.deepEqual(await pages.lastReferencedOffsets([{ segment: 's1', bytes: 7_000_000_000 }]), { s1: 6_000_000_050 })
})

it('two crawls that archive the same URL at once make two versions of it', async (t) => {
  const { pool, addOn, visit, pages } = await makePageWriter(t, 1)
  const other = await addCrawl(pool, 'other')
  await addUrls(pool, other, [{ id: 1, state: 4 }])
  const [first, second] = await Promise.all([pool.connect(), pool.connect()])
  await Promise.all([first.query('begin'), second.query('begin')])
  await addOn(first, [visit(1)])
  const waiting = addOn(second, [visit(1, { digest: '0b'.repeat(32) }, other)])
  await first.query('commit')
  await waiting
  await second.query('commit')
  first.release()
  second.release()
  const versions = await pages.history('http://a.test/1')
  assert.deepEqual(
    versions.map(({ version, changes }) => [version, changes]),
    [
      [1, 0],
      [2, 1],
    ],
  )
})

it('a page whose segment or payload is lost is reported', async (t) => {
  const { pool, add, visit, pages } = await makePageWriter(t, 3)
  const far = { segment: 's2', offset: 0, length: 9 }
  await add(visit(1), visit(2, { digest: '0b'.repeat(32), position: far }))
  await add(visit(3, { position: null }))
  await pool.query("delete from segments where name = 's2'")
  await pool.query({ text: 'delete from contents where digest = $1', values: [Buffer.from(PAGE_REPORT.digest, 'hex')] })
  const points = await Array.fromAsync(pages.references())
  assert.deepEqual(
    points.map(({ pageId, position }) => [pageId, position]),
    [
      [1, PAGE_REPORT.position],
      [1, null],
      [2, null],
    ],
  )
  const versions = await Array.fromAsync(pages.listByCrawl(TEST_CRAWL))
  assert.deepEqual(
    versions.map(({ isArchived }) => isArchived),
    [true, true, false],
  )
})
