import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { NO_FILTER } from '../../ports/search.ts'
import { arrangeHits, type Candidate, comparatorFor, compareCandidates } from './arrange-hits.ts'
import { hammingDistance, nearbyHalves, parseFingerprint, quartersOf } from './fingerprint.ts'
import { computePageRank, scaleRanks } from './page-rank.ts'

const candidate = (pageId: number, changes: Partial<Candidate> = {}): Candidate => ({
  pageId,
  url: `http://h${pageId}/`,
  host: `h${pageId}`,
  title: '',
  linkRank: 1,
  fingerprint: null,
  isPartial: false,
  score: 1,
  changedAt: 0,
  ...changes,
})

describe('the order of hits', () => {
  it('is by score, then by change, then by id', () => {
    const list = [candidate(3), candidate(1), candidate(2, { changedAt: 5 }), candidate(9, { score: 2 })]
    assert.deepEqual(
      list.sort(compareCandidates).map(({ pageId }) => pageId),
      [9, 2, 1, 3],
    )
  })

  it('keeps every document, and limits each host in the first ten', () => {
    const candidates = fc.array(fc.record({ host: fc.nat(4), print: fc.option(fc.nat(15)) }), { maxLength: 60 })
    fc.assert(
      fc.property(candidates, (list) => {
        const all = list.map(({ host, print }, i) =>
          candidate(i, { host: `h${host}`, fingerprint: print === null ? null : { high: 0, low: print << 10 } }),
        )
        const arranged = arrangeHits(all, { groupsSimilar: true, filter: NO_FILTER, sort: 'relevance' })
        assert.equal(
          arranged.reduce((sum, { similar }) => sum + 1 + similar, 0),
          all.length,
        )
        const counts = Map.groupBy(arranged.slice(0, 10), ({ host }) => host)
        const others = arranged.slice(10).some(({ host }) => (counts.get(host)?.length ?? 0) < 2)
        if (others) assert.ok([...counts.values()].every((hits) => hits.length <= 2))
      }),
    )
  })

  it('keeps the hits of a host together if others score much less, or if one site was asked for', () => {
    const hits = [10, 9, 8, 7].map((score, i) => candidate(i + 1, { host: 'a', score }))
    const order = (score: number, hosts: string[] = []) => {
      const all = [...hits, candidate(9, { host: 'b', score })].sort(compareCandidates)
      const query = { groupsSimilar: true, filter: { ...NO_FILTER, hosts }, sort: 'relevance' as const }
      return arrangeHits(all, query).map(({ pageId }) => pageId)
    }
    assert.deepEqual(order(6.5), [1, 2, 9, 3, 4])
    assert.deepEqual(order(5), [1, 2, 3, 4, 9])
    assert.deepEqual(order(6.5, ['.test']), [1, 2, 3, 4, 9])
  })

  it('is the same on the first pages when later ones are read', () => {
    const first = [10, 9, 8.5, 8, 7.5].map((score, i) => candidate(i + 1, { host: 'a', score }))
    const later = [9.5, 9, 8].map((score, i) => candidate(i + 11, { host: 'b', score }))
    const query = { groupsSimilar: true, filter: NO_FILTER, sort: 'relevance' as const }
    const order = arrangeHits(first, query, later).map(({ pageId }) => pageId)
    assert.deepEqual(order, [1, 2, 3, 4, 5, 11, 12, 13])
  })

  it('by time does not depend on hosts, and pages with all the words stay first', () => {
    const sameHost = [1, 2, 3].map((n) => candidate(n, { host: 'a', changedAt: 10 - n }))
    const others = [candidate(4, { changedAt: 1 }), candidate(5, { changedAt: 20, isPartial: true })]
    const sorted = [...sameHost, ...others].sort(comparatorFor('newest'))
    const arranged = arrangeHits(sorted, { groupsSimilar: true, filter: NO_FILTER, sort: 'newest' })
    assert.deepEqual(
      arranged.map(({ pageId }) => pageId),
      [1, 2, 3, 4, 5],
    )
  })

  it('shows the copy with the shortest path, unless another has clearly more links', () => {
    const alike = { host: 'a', fingerprint: { high: 0, low: 0 } }
    const deep = candidate(1, { ...alike, url: 'http://a/loop/up/vim/editing.html', score: 1.02, linkRank: 1.02 })
    const short = candidate(2, { ...alike, url: 'http://a/vim/editing.html' })
    const tracked = candidate(3, { ...alike, url: 'http://a/vim/editing.html?from=/' })
    const query = { groupsSimilar: true, filter: NO_FILTER, sort: 'relevance' as const }
    const shown = (...hits: Candidate[]) => arrangeHits(hits, query).map(({ pageId, similar }) => [pageId, similar])
    assert.deepEqual(shown(deep, short, tracked), [[2, 2]])
    assert.deepEqual(shown(deep, tracked, short), [[2, 2]])
    const linked = { ...deep, score: 1.15, linkRank: 1.15 }
    assert.deepEqual(shown(linked, short, tracked), [[1, 2]])
  })

  it('shows the copy with more links, however few more, of those in as many directories', () => {
    const alike = { host: 'a', fingerprint: { high: 0, low: 0 } }
    const danish = candidate(1, { ...alike, url: 'http://a/manual/da/logs.html' })
    const english = candidate(2, { ...alike, url: 'http://a/manual/en/logs.html', linkRank: 1.01 })
    const query = { groupsSimilar: true, filter: NO_FILTER, sort: 'relevance' as const }
    assert.deepEqual(
      arrangeHits([danish, english], query).map(({ pageId, similar }) => [pageId, similar]),
      [[2, 1]],
    )
  })

  it('shows the copy that the query is about, not one with more links and another title', () => {
    const alike = { host: 'a', fingerprint: { high: 0, low: 0 } }
    const named = candidate(1, { ...alike, url: 'http://a/formats-1.10', score: 2 })
    const linked = candidate(2, { ...alike, url: 'http://a/formats-1.00', score: 1.2, linkRank: 2 })
    const query = { groupsSimilar: true, filter: NO_FILTER, sort: 'relevance' as const }
    const shown = (...hits: Candidate[]) => arrangeHits(hits, query).map(({ pageId, similar }) => [pageId, similar])
    assert.deepEqual(shown(named, linked), [[1, 1]])
    assert.deepEqual(shown(named, { ...linked, score: 1.6 }), [[2, 1]])
    const newer = candidate(3, { ...alike, url: 'http://a/latest/formats', score: 1.2 })
    assert.deepEqual(shown({ ...named, url: 'http://a/1.0/formats' }, newer), [[3, 1]])
  })

  it('shows the page of a group that has all the words, also behind a better one that has some', () => {
    const alike = { host: 'a', fingerprint: { high: 0, low: 0 } }
    const some = candidate(1, { ...alike, score: 3, linkRank: 3, isPartial: true })
    const all = candidate(2, { ...alike, score: 2 })
    const linked = candidate(3, { ...alike, score: 1.8, linkRank: 4, isPartial: true })
    const query = { groupsSimilar: true, filter: NO_FILTER, sort: 'relevance' as const }
    const shown = arrangeHits([some, all, linked], query)
    assert.deepEqual(
      shown.map(({ pageId, similar }) => [pageId, similar]),
      [[2, 2]],
    )
  })
})

describe('fingerprints', () => {
  it('differ in as many bits as their halves', () => {
    const bits = fc.bigInt({ min: 0n, max: (1n << 56n) - 1n })
    fc.assert(
      fc.property(bits, fc.uniqueArray(fc.nat(55), { maxLength: 3 }), (print, flips) => {
        const other = flips.reduce((sum, bit) => sum ^ (1n << BigInt(bit)), print)
        const [a, b] = [parseFingerprint(String(print)), parseFingerprint(String(other))]
        assert.ok(a !== null && b !== null)
        assert.equal(hammingDistance(a, b), flips.length)
        assert.ok(nearbyHalves(a.high).includes(b.high) || nearbyHalves(a.low).includes(b.low))
        assert.ok(quartersOf(a).some((quarter) => quartersOf(b).includes(quarter)))
      }),
    )
    assert.equal(parseFingerprint(null), null)
  })
})

describe('PageRank', () => {
  const rank = (nodes: number, links: number[]) =>
    computePageRank({ nodes, links: Int32Array.from(links) }, async () => undefined)

  it('sums to one, and is highest where links lead', async () => {
    const ranks = await rank(4, [0, 1, 2, 1, 3, 1, 1, 2])
    assert.ok(Math.abs(ranks.reduce((sum, one) => sum + one, 0) - 1) < 1e-6)
    assert.deepEqual([...ranks.keys()].sort((a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0)).slice(0, 2), [1, 2])
  })

  it('matches the analytic solution of a small graph', async () => {
    // Two pages link to each other, and a third links to the first.
    const ranks = await rank(3, [0, 1, 1, 0, 2, 0])
    const base = 0.05
    const b = (base + 0.85 * base + 0.85 * 0.85 * base) / (1 - 0.85 * 0.85)
    const first = (base + 0.85 * base + 0.85 * base) / (1 - 0.85 * 0.85)
    assert.ok(Math.abs((ranks[2] ?? 0) - base) < 1e-3)
    assert.ok(Math.abs((ranks[0] ?? 0) - first) < 1e-2 && Math.abs((ranks[1] ?? 0) - b) < 1e-2)
  })

  it('is scaled from 0 to 1, and is 0 for all if all are equal', async () => {
    const scaled = scaleRanks(await rank(4, [0, 1, 2, 1, 3, 1, 1, 2]))
    assert.deepEqual([Math.max(...scaled), Math.min(...scaled)], [1, 0])
    assert.deepEqual([...scaleRanks(await rank(2, [0, 1, 1, 0]))], [0, 0])
    assert.deepEqual([...scaleRanks(await rank(0, []))], [])
  })
})
