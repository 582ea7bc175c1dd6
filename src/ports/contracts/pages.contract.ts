// Page versions and the payloads they refer to.

import assert from 'node:assert/strict'
import { VERSION_CASES } from './pages.versions.contract.ts'
import { archivedVisit, hashOf, PAGE_REPORT, repeatedPayload, visitEach } from './testing/page-visits.ts'
import { describeStore, only, type TestStore } from './testing/store-harness.ts'

export function pagesContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: page versions`, makeStore, (add) => {
    for (const [title, run] of Object.entries(VERSION_CASES)) add(title, run)

    add('an archived page is found by its URL, with its position', async (storeHarness) => {
      await visitEach(storeHarness, [['a/1', {}]])
      const version = only(await storeHarness.store.pages.history('http://a.test/1'))
      assert.deepEqual([version.record, version.payload], [PAGE_REPORT.position, PAGE_REPORT.position])
      assert.deepEqual([version.version, version.changes, version.words, version.httpStatus], [1, 0, 12, 200])
      assert.deepEqual(await storeHarness.store.pages.find(version.id), version)
      assert.deepEqual(await storeHarness.store.pages.history('http://a.test/2'), [])
    })

    add(
      'a version has the data that was extracted from it; that of a URL is that of its newest version',
      async (storeHarness) => {
        const dataOf = (title: string | null) => ({
          fields: { title, née: ['a\u0000b', 2] },
          missing: [],
          structured_data: null,
        })
        await visitEach(storeHarness, [
          ['a/1', { data: JSON.stringify(dataOf('old')) }],
          ['a/1', { ...repeatedPayload(60), data: JSON.stringify(dataOf('new')) }],
          ['a/2', {}],
        ])
        const { pages, crawls, urls } = storeHarness.store
        const [first, second] = await pages.history('http://a.test/1')
        assert.ok(first !== undefined && second !== undefined)
        assert.deepEqual(await pages.dataOf(first.id), dataOf('old'))
        assert.deepEqual(await pages.dataOf(second.id), dataOf('new'))
        assert.equal(await pages.dataOf(only(await pages.history('http://a.test/2')).id), null)
        assert.equal(await pages.dataOf(999_999), null)
        for (const { crawl } of await crawls.list()) {
          const { id } = crawl
          const rows = await Array.fromAsync(urls.rows(id))
          const found = await pages.dataOfUrls(id, rows)
          const titles = rows.map(({ url, id: urlId }) => [url, found.get(urlId)?.fields?.['title']])
          const expected: string | undefined = id === first.crawlId ? 'old' : id === second.crawlId ? 'new' : undefined
          assert.deepEqual(titles, [[rows[0]?.url, expected]])
          const ofCrawl = await Array.fromAsync(pages.dataOfCrawl(id), ({ fields }) => fields?.['title'])
          assert.deepEqual(ofCrawl, expected === undefined ? [] : [expected])
        }
      },
    )

    add('a version contains the facts of its visit', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const lease = only((await storeHarness.lease()).leases)
      const learnt = { redirectTo: 'http://a.test/2', canonical: 'http://a.test/3', noindex: true }
      await storeHarness.commit([archivedVisit(storeHarness, lease, only(lease.urls), {}, learnt)])
      const { redirectTo, canonical, noindex, title } = only(await storeHarness.store.pages.history('http://a.test/1'))
      assert.deepEqual({ redirectTo, canonical, noindex, title }, { ...learnt, title: 'A title' })
    })

    add('versions of all crawls form one history, and changes are counted', async (storeHarness) => {
      const second = { digest: hashOf(2), position: { segment: 's1', offset: 50, length: 9 } }
      await visitEach(storeHarness, [
        ['a/1', {}],
        ['a/1', repeatedPayload(60)],
        ['a/1', second],
        ['a/1', repeatedPayload(70)],
      ])
      const versions = await storeHarness.store.pages.history('http://a.test/1')
      assert.deepEqual(
        versions.map(({ version, changes, record, payload }) => [version, changes, record?.offset, payload?.offset]),
        [
          [1, 0, 0, 0],
          [2, 0, 60, 0],
          [3, 1, 50, 50],
          [4, 2, 70, 0],
        ],
      )
      assert.equal(new Set(versions.map(({ firstSeenAt }) => firstSeenAt)).size, 1)
    })

    add('a payload is archived once, no matter which page has it', async (storeHarness) => {
      await visitEach(storeHarness, [
        ['a/1', {}],
        ['b/1', { position: { segment: 's2', offset: 7, length: 50 } }],
      ])
      const version = only(await storeHarness.store.pages.history('http://b.test/1'))
      assert.deepEqual([version.payload, version.record?.segment], [PAGE_REPORT.position, 's2'])
      const { id } = only(await storeHarness.store.pages.history('http://a.test/1'))
      const positions = await Array.fromAsync(storeHarness.store.pages.references())
      assert.deepEqual(
        positions.map(({ position, pageId, payloadDigest }) => [position?.segment, pageId, payloadDigest]),
        [
          ['s1', id, hashOf(1)],
          ['s2', version.id, hashOf(1)],
          ['s1', version.id, hashOf(1)],
        ],
      )
    })

    add('known payloads are found, with their origin', async (storeHarness) => {
      await visitEach(storeHarness, [['a/1', {}]])
      const wanted = [1, 2].map((n) => ({ url: 'http://b.test/', digest: hashOf(n), fingerprint: null }))
      const [known, unknown] = await storeHarness.store.contents.find(wanted)
      assert.equal(known?.sameAs?.url, 'http://a.test/1')
      assert.deepEqual(unknown, { sameAs: null, isDamaged: false, resembles: null })
    })

    add('texts that differ in three bits are near-duplicates, in four they are not', async (storeHarness) => {
      const fingerprint = 0xab_cdef_0123_4567n
      await visitEach(storeHarness, [['a/1', { fingerprint }]])
      const first = only(await storeHarness.store.pages.history('http://a.test/1'))
      const flip = (...bits: bigint[]) => bits.reduce((sum, bit) => sum ^ (1n << bit), fingerprint)
      const ask = async (value: bigint) =>
        (await storeHarness.store.contents.find([{ url: 'http://b.test/', digest: hashOf(9), fingerprint: value }]))[0]
      for (const near of [fingerprint, flip(0n), flip(55n, 17n, 40n), flip(1n, 2n, 3n)]) {
        assert.equal((await ask(near))?.resembles, first.id)
      }
      for (const far of [flip(55n, 17n, 40n, 2n), flip(0n, 1n, 2n, 3n)]) assert.equal((await ask(far))?.resembles, null)
      await visitEach(storeHarness, [['a/2', { digest: hashOf(2), fingerprint: flip(5n) }]])
      assert.equal(only(await storeHarness.store.pages.history('http://a.test/2')).resembles, first.id)
    })

    add('pages of one commit see each other', async (storeHarness) => {
      const fingerprint = 0xab_cdef_0123_4567n
      await storeHarness.start(['a/1', 'a/2', 'a/3'])
      const lease = only((await storeHarness.lease()).leases)
      const prints = [fingerprint, fingerprint ^ 3n, fingerprint ^ 0xffffn]
      await storeHarness.commit(
        lease.urls.map((url, i) =>
          archivedVisit(storeHarness, lease, url, { digest: hashOf(i + 1), fingerprint: prints[i] ?? null }),
        ),
      )
      const pages = await Array.fromAsync(storeHarness.store.pages.listByCrawl(storeHarness.crawlId))
      assert.deepEqual(
        pages.map(({ resembles }) => resembles),
        [null, pages[0]?.id, null],
      )
    })

    add('pages that share only a quarter are distinguished, however many there are', async (storeHarness) => {
      const prints = Array.from({ length: 16 }, (_, i) => (BigInt(i * 0x11111) << 28n) | 0xabc_def0n)
      await visitEach(
        storeHarness,
        prints.map((fingerprint, i) => [`a/${i}`, { digest: hashOf(i + 10), fingerprint }]),
      )
      const known = await storeHarness.store.contents.find(
        prints.map((fingerprint) => ({ url: 'http://b.test/', digest: hashOf(1), fingerprint })),
      )
      const pages = await Promise.all(known.map(async ({ resembles }) => storeHarness.store.pages.find(resembles ?? 0)))
      assert.equal(new Set(pages.map((page) => page?.url)).size, 16)
    })

    add('a near-duplicate that is not archived has a version without bytes', async (storeHarness) => {
      await visitEach(storeHarness, [
        ['a/1', {}],
        ['a/2', { digest: hashOf(5), position: null, resembles: 1 }],
      ])
      const version = only(await storeHarness.store.pages.history('http://a.test/2'))
      assert.deepEqual([version.record, version.payload, version.resembles], [null, null, 1])
    })

    add('the pages of a crawl are listed in order, and a crash loses none', async (storeHarness) => {
      await storeHarness.start(['a/1', 'a/2'])
      const lease = only((await storeHarness.lease()).leases)
      await storeHarness.commit(
        lease.urls.map((url, i) => archivedVisit(storeHarness, lease, url, { digest: hashOf(i + 1) })),
      )
      storeHarness.store = await storeHarness.store.reopen()
      const pages = await Array.fromAsync(storeHarness.store.pages.listByCrawl(storeHarness.crawlId))
      assert.deepEqual(
        pages.map(({ url }) => url),
        ['http://a.test/1', 'http://a.test/2'],
      )
      assert.deepEqual(await storeHarness.store.pages.lastReferencedOffsets([{ segment: 's1', bytes: 99 }]), { s1: 50 })
    })

    add('versions after an id are listed by id, with what the index needs', async (storeHarness) => {
      assert.equal(await storeHarness.store.pages.newestId(), 0)
      const start = storeHarness.store.clock.now()
      await visitEach(storeHarness, [
        ['a/1', {}],
        ['a/1', repeatedPayload(60)],
        ['a/1', { digest: hashOf(2), position: { segment: 's1', offset: 90, length: 9 } }],
        ['b/1', { digest: hashOf(3), position: null }],
      ])
      const all = await storeHarness.store.pages.listAfter(0, 10)
      assert.deepEqual(
        all.map(({ version, changedAt, depth }) => [version.url, version.version, changedAt - start, depth]),
        [
          ['http://a.test/1', 1, 0, 0],
          ['http://a.test/1', 2, 0, 0],
          ['http://a.test/1', 3, 2000, 0],
          ['http://b.test/1', 1, 3000, 0],
        ],
      )
      for (const { version } of all) assert.deepEqual(await storeHarness.store.pages.find(version.id), version)
      const ids = all.map(({ version }) => version.id)
      assert.deepEqual(await storeHarness.store.pages.listAfter(ids[0] ?? 0, 2), all.slice(1, 3))
      assert.deepEqual(await storeHarness.store.pages.listAfter(ids[3] ?? 0, 10), [])
      assert.equal(await storeHarness.store.pages.newestId(), ids[3])
      const rows = await storeHarness.rows()
      assert.equal(all[3]?.urlId, rows[0]?.id)
    })

    add('existing pages are told from deleted ones', async (storeHarness) => {
      await visitEach(storeHarness, [
        ['a/1', {}],
        ['a/2', { digest: hashOf(2) }],
      ])
      const [first = 0, second = 0] = (await storeHarness.store.pages.listAfter(0, 10)).map(({ version }) => version.id)
      const keptUntil = storeHarness.store.clock.now() - 1000 + 86_400_000
      const kept = await storeHarness.store.pages.retentionOf([second, 77_777, first])
      assert.deepEqual(kept, [{ expiresAt: keptUntil }, null, { expiresAt: keptUntil - 1000 }])
      storeHarness.store.clock.advance(86_400_000 - 2000)
      await storeHarness.store.retention.expire(storeHarness.store.clock.now(), 10)
      const left = await storeHarness.store.pages.retentionOf([first, second])
      assert.deepEqual(left, [null, { expiresAt: keptUntil }])
      assert.deepEqual(await storeHarness.store.pages.retentionOf([]), [])
    })
  })
}
