// The link graph of a known site.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type CrawlGraph, type GraphRequest, listEdges } from '../../browse.ts'
import { crawlSite } from '../testing/browse-site.ts'
import { requeueAfter } from '../testing/revisit-steps.ts'
import { only, type StoreHarness } from '../testing/store-harness.ts'

type Cases = Record<string, (storeHarness: StoreHarness) => Promise<void>>

/** Paths such as b/x/y, in few folders of two hosts. */
const PATHS = fc
  .tuple(fc.constantFrom('a', 'b'), fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 4 }))
  .map(([host, path]) => `${host}/${path.join('/')}`)

const WHOLE: GraphRequest = {
  limit: 1000,
  group: 'url',
  by: 'found',
  around: null,
  under: null,
  since: null,
  open: [],
  maxEdges: 1000,
}

type ListedGraph = Omit<CrawlGraph, 'edges'> & { edges: ReturnType<typeof listEdges> }

async function graph(storeHarness: StoreHarness, changes: Partial<GraphRequest> = {}): Promise<ListedGraph> {
  const answer = await storeHarness.store.browse.graph(storeHarness.crawlId, { ...WHOLE, ...changes })
  return { ...answer, edges: listEdges(answer.edges) }
}

/** Edges by the labels of their ends. */
function drawn({ nodes, edges }: ListedGraph): string[] {
  const name = (id: string) => nodes.find((node) => node.id === id)?.label.replace('http://', '') ?? id
  return edges.map(({ from, to, links }) => `${name(from)} ${name(to)} ${links}`).sort()
}

async function expectedEdges(storeHarness: StoreHarness) {
  const edges = await Array.fromAsync(storeHarness.store.urls.edges(storeHarness.crawlId))
  return edges.filter(({ from, to }) => from !== to)
}

export const GRAPH_CASES: Cases = {
  async 'contains every URL and every link of a small crawl'(storeHarness) {
    await crawlSite(storeHarness)
    const rows = await storeHarness.rows()
    const edges = await expectedEdges(storeHarness)
    const answer = await graph(storeHarness)
    assert.deepEqual(
      answer.nodes,
      rows.map((row) => {
        const inlinks = edges.filter(({ to }) => to === row.id).length
        return {
          id: String(row.id),
          label: row.url,
          urlId: row.id,
          host: new URL(row.url).host,
          state: row.state,
          states: null,
          leftOut: 0,
          depth: row.depth,
          urls: 1,
          inlinks,
          rank: inlinks / edges.length,
          parent: row.discoveredFrom === null ? null : String(row.discoveredFrom),
        }
      }),
    )
    assert.deepEqual(
      answer.edges,
      edges.map(({ from, to }) => ({ from: String(from), to: String(to), links: 1 })),
    )
    assert.deepEqual([answer.totalNodes, answer.isComplete, answer.group], [rows.length, true, 'url'])
    assert.equal(answer.totalEdges, edges.length)
  },

  async 'of too many edges those between the best linked are returned'(storeHarness) {
    await crawlSite(storeHarness)
    const edges = await expectedEdges(storeHarness)
    const inlinks = (id: number) => edges.filter(({ to }) => to === id).length
    const worth = ({ from, to }: { from: number | string; to: number | string }) =>
      Math.min(inlinks(Number(from)), inlinks(Number(to)))
    const answer = await graph(storeHarness, { maxEdges: 3 })
    const best = edges.map(worth).toSorted((a, b) => b - a)
    assert.deepEqual(
      answer.edges.map(worth).toSorted((a, b) => b - a),
      best.slice(0, 3),
    )
    assert.deepEqual([answer.totalEdges, answer.isComplete], [edges.length, false])
    const hosts = await graph(storeHarness, { group: 'host', maxEdges: 1 })
    assert.deepEqual([drawn(hosts), hosts.totalEdges, hosts.isComplete], [['a.test b.test 3'], 2, false])
  },

  async 'a limit takes the URLs found first, or those with the most inlinks'(storeHarness) {
    await crawlSite(storeHarness)
    const rows = await storeHarness.rows()
    const edges = await expectedEdges(storeHarness)
    const first = await graph(storeHarness, { limit: 3 })
    assert.deepEqual(
      first.nodes.map(({ urlId }) => urlId),
      rows.slice(0, 3).map(({ id }) => id),
    )
    assert.deepEqual([first.totalNodes, first.isComplete], [rows.length, false])
    const best = await graph(storeHarness, { limit: 3, by: 'rank' })
    const inlinks = (id: number) => edges.filter(({ to }) => to === id).length
    const chosen = rows
      .map(({ id }) => id)
      .sort((a, b) => inlinks(b) - inlinks(a) || a - b)
      .slice(0, 3)
    assert.deepEqual(
      best.nodes.map(({ urlId }) => urlId),
      chosen.toSorted((a, b) => a - b),
    )
    for (const node of best.nodes) assert.equal(node.inlinks, inlinks(node.urlId ?? 0))
    assert.deepEqual(
      best.edges.map(({ from, to }) => [Number(from), Number(to)]),
      edges.filter(({ from, to }) => chosen.includes(from) && chosen.includes(to)).map(({ from, to }) => [from, to]),
    )
    assert.equal(best.isComplete, false)
  },

  async 'hosts are groups, with the links between them'(storeHarness) {
    await crawlSite(storeHarness)
    const answer = await graph(storeHarness, { group: 'host' })
    assert.deepEqual(
      answer.nodes.map(({ id, urls, depth, state, urlId, parent }) => [id, urls, depth, state, urlId, parent]),
      [
        ['a.test', 8, 0, null, null, null],
        ['b.test', 4, 1, null, null, 'a.test'],
      ],
    )
    assert.deepEqual(drawn(answer), ['a.test b.test 3', 'b.test a.test 1'])
    assert.deepEqual([answer.totalNodes, answer.isComplete], [2, true])
    const states: Record<string, number> = {}
    for (const { url, state } of await storeHarness.rows()) {
      const key = `${new URL(url).host} ${state}`
      states[key] = (states[key] ?? 0) + 1
    }
    const told = answer.nodes.flatMap(({ id, states }) =>
      Object.entries(states ?? {}).map(([state, count]) => [`${id} ${state}`, count]),
    )
    assert.deepEqual(Object.fromEntries(told), states)
    const one = await graph(storeHarness, { group: 'host', limit: 1 })
    assert.deepEqual([only(one.nodes).id, one.edges, one.totalNodes, one.isComplete], ['a.test', [], 2, false])
  },

  async 'the largest folders are split first, as long as their parts fit'(storeHarness) {
    const folders = ['a/x/p', 'a/x/q', 'a/y/p', 'a/y/q']
    await storeHarness.start(folders.flatMap((folder) => [1, 2, 3, 4].map((page) => `${folder}/${page}`)))
    const labels = async (limit: number) =>
      (await graph(storeHarness, { group: 'path', limit })).nodes.map(({ label, urls }) => `${label} ${urls}`).sort()
    assert.deepEqual(await labels(1), ['a.test 16'])
    assert.deepEqual(await labels(2), ['a.test/x 8', 'a.test/y 8'])
    assert.deepEqual(await labels(3), ['a.test/x/p 4', 'a.test/x/q 4', 'a.test/y 8'])
    assert.deepEqual(
      await labels(1000),
      folders.map((folder) => `${folder.replace('a/', 'a.test/')} 4`),
    )
  },

  async 'a flat site is one group, not one per URL'(storeHarness) {
    await storeHarness.start(Array.from({ length: 9 }, (_, i) => `a/${i}`))
    const { nodes, totalNodes } = await graph(storeHarness, { group: 'path' })
    assert.deepEqual([only(nodes).label, only(nodes).urls, totalNodes], ['a.test', 9, 1])
  },

  async 'of too many groups those with the most URLs are returned, with their links'(storeHarness) {
    await crawlSite(storeHarness)
    const all = await graph(storeHarness, { group: 'host' })
    const { nodes, edges, totalNodes, totalEdges, isComplete } = await graph(storeHarness, { group: 'host', limit: 1 })
    assert.deepEqual(nodes, [all.nodes[0]])
    assert.deepEqual([edges, totalNodes, totalEdges, isComplete], [[], 2, 0, false])
  },

  async 'a label opens its group'(storeHarness) {
    await crawlSite(storeHarness)
    const under = async (label: string) => {
      const answer = await graph(storeHarness, { under: label })
      return [answer.nodes.map((node) => node.label.replace('http://a.test', '')), answer.totalNodes, answer.isComplete]
    }
    assert.deepEqual(await under('a.test/x'), [['/x/1', '/x/2'], 2, true])
    assert.deepEqual(await under('a.test/x/'), [['/x/1', '/x/2'], 2, true])
    assert.deepEqual(await under('c.test'), [[], 0, true])
    const parts = await graph(storeHarness, { group: 'path' })
    let urls = 0
    for (const { label } of parts.nodes) urls += (await graph(storeHarness, { under: label })).nodes.length
    assert.equal(urls, (await storeHarness.rows()).length)
    assert.deepEqual(drawn(await graph(storeHarness, { under: 'a.test/x' })), ['a.test/x/1 a.test/x/2 1'])
  },

  async 'opened groups are replaced by their folders or URLs, and all others stay'(storeHarness) {
    await storeHarness.start(['a/x/1', 'a/x/2', 'a/x/p/1', 'a/x/p/2', 'a/y/1', 'a/y/2', 'a/y', 'a/z'])
    const groups = async (...open: string[]) => {
      const { nodes } = await graph(storeHarness, { group: 'path', limit: 3, open })
      return nodes.map(({ label, urls }) => `${label.replace('http://', '')} ${urls}`)
    }
    assert.deepEqual(await groups(), ['a.test/ 1', 'a.test/x 4', 'a.test/y 3'])
    assert.deepEqual(await groups('a.test/x'), ['a.test/ 1', 'a.test/x/ 2', 'a.test/x/p 2', 'a.test/y 3'])
    assert.deepEqual(await groups('a.test/y'), [
      'a.test/ 1',
      'a.test/x 4',
      'a.test/y/1 1',
      'a.test/y/2 1',
      'a.test/y 1',
    ])
    assert.deepEqual(await groups('a.test/x/'), [
      'a.test/ 1',
      'a.test/x/1 1',
      'a.test/x/2 1',
      'a.test/x/p 2',
      'a.test/y 3',
    ])
    assert.deepEqual(await groups('a.test/none', 'b.test'), await groups())
  },

  async 'links are counted between groups of different depth'(storeHarness) {
    await crawlSite(storeHarness)
    const all = await graph(storeHarness, { group: 'path', open: ['a.test/x'] })
    const edges = await expectedEdges(storeHarness)
    const rows = await storeHarness.rows()
    const nodeOf = new Map<number, string>()
    for (const { id, label, urlId } of all.nodes) {
      const members =
        urlId === null ? (await graph(storeHarness, { under: label })).nodes.map((node) => node.urlId) : [urlId]
      for (const member of members) nodeOf.set(member ?? 0, id)
    }
    assert.equal(nodeOf.size, rows.length)
    const counts = new Map<string, number>()
    for (const { from, to } of edges) {
      const key = `${nodeOf.get(from)} ${nodeOf.get(to)}`
      if (nodeOf.get(from) !== nodeOf.get(to)) counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    assert.deepEqual(new Map(all.edges.map(({ from, to, links }) => [`${from} ${to}`, links])), counts)
  },

  async 'folders and links of random sites are those of their URLs'(storeHarness) {
    const random = fc.array(fc.tuple(PATHS, fc.array(PATHS, { maxLength: 5 })), { minLength: 1, maxLength: 25 })
    const [site = []] = fc.sample(random, { numRuns: 1 })
    const context = JSON.stringify(site)
    await storeHarness.start([...new Set(site.map(([page]) => page))])
    await storeHarness.crawlAll(Object.fromEntries(site))
    const rows = await storeHarness.rows()
    const edges = await expectedEdges(storeHarness)
    const nameOf = (url: string) => url.replace('http://', '')
    const isBelow = (url: string, folder: string) => nameOf(url) === folder || nameOf(url).startsWith(`${folder}/`)
    const queue: (string | null)[] = [null]
    for (let under = queue.shift(); under !== undefined; under = queue.shift()) {
      const level = await storeHarness.store.browse.folders(storeHarness.crawlId, { under, limit: 100 })
      for (const { label, urls, bytes } of level?.folders ?? []) {
        const inside = rows.filter(({ url }) => isBelow(url, label))
        assert.equal(urls, inside.length, `${label} of ${context}`)
        assert.equal(
          bytes,
          inside.reduce((sum, row) => sum + (row.contentLength ?? 0), 0),
        )
        queue.push(label)
      }
      const total = under === null ? rows.length : rows.filter(({ url }) => isBelow(url, under)).length
      assert.equal(level?.urls, total, `${under} of ${context}`)
    }
    const { nodes, edges: drawnEdges } = await graph(storeHarness, { group: 'path', limit: 4 })
    const groupOf = ({ url }: { url: string }) =>
      nodes
        .filter(({ label }) => isBelow(url, label.replace(/\/$/, '')))
        .toSorted((a, b) => b.label.replace(/\/$/, '').length - a.label.replace(/\/$/, '').length)[0]?.id
    const groupById = new Map(rows.map((row) => [row.id, groupOf(row)]))
    const counts = new Map<string, number>()
    for (const { from, to } of edges) {
      const [start, end] = [groupById.get(from), groupById.get(to)]
      if (start !== end) counts.set(`${start} ${end}`, (counts.get(`${start} ${end}`) ?? 0) + 1)
    }
    assert.deepEqual(new Map(drawnEdges.map(({ from, to, links }) => [`${from} ${to}`, links])), counts, context)
  },

  async 'a crawl that was visited again is read again, even if all its counts are as before'(storeHarness) {
    const { crawls } = storeHarness.store
    const read = async () => {
      await crawls.setPaused(storeHarness.crawlId, true)
      const { nodes } = await graph(storeHarness, { by: 'rank' })
      await crawls.setPaused(storeHarness.crawlId, false)
      return nodes.map(({ inlinks }) => inlinks)
    }
    await storeHarness.start(['a/'], { recrawl: 600_000 })
    await storeHarness.crawlAll({ 'a/': ['a/1'] })
    assert.deepEqual(await read(), [0, 1])
    await requeueAfter(storeHarness, 600_000)
    await storeHarness.crawlAll({ 'a/': ['a/1'], 'a/1': ['a/'] })
    await crawls.addActiveTime(storeHarness.crawlId, 1000)
    assert.deepEqual(await read(), [1, 1])
  },

  async 'around a URL are its neighbours'(storeHarness) {
    await crawlSite(storeHarness)
    const rows = await storeHarness.rows()
    const edges = await expectedEdges(storeHarness)
    const centre = rows.find(({ url }) => url === 'http://b.test/')?.id ?? 0
    const near = new Set(edges.flatMap(({ from, to }) => (from === centre || to === centre ? [from, to] : [])))
    const answer = await graph(storeHarness, { around: centre })
    assert.deepEqual(
      answer.nodes.map(({ urlId }) => urlId),
      [...near].sort((a, b) => a - b),
    )
    assert.equal(answer.edges.length, edges.filter(({ from, to }) => near.has(from) && near.has(to)).length)
    assert.equal(answer.isComplete, true)
    const few = await graph(storeHarness, { around: centre, limit: 2 })
    assert.deepEqual([few.nodes.length, few.totalNodes, few.isComplete], [2, near.size, false])
    assert.ok(few.nodes.some(({ urlId }) => urlId === centre))
    await assert.rejects(graph(storeHarness, { around: 999_999 }), { code: 'URL_NOT_FOUND' })
  },

  async 'since a version only new and changed nodes are returned'(storeHarness) {
    await storeHarness.start(['a/0', 'b/0', 'c/0', 'd/0'])
    const changes = async (since: string) => {
      const answer = await graph(storeHarness, { since })
      return { ...answer, states: Object.fromEntries(answer.nodes.map(({ label, state }) => [label, state])) }
    }
    const versions = [(await graph(storeHarness)).version]
    const visit = async (...links: string[]) => {
      storeHarness.store.clock.advance(60_000)
      const lease = (await storeHarness.lease({ maxUrls: 1 })).leases[0]
      assert.ok(lease)
      await storeHarness.commit([storeHarness.visitedReport(lease, only(lease.urls), links)], {
        release: [lease.token],
      })
      versions.push((await graph(storeHarness)).version)
      return only(lease.urls).url
    }
    const nothing = await changes(versions[0] ?? '')
    assert.deepEqual([nothing.nodes, nothing.edges, nothing.version], [[], [], versions[0]])
    const first = await visit('a/0', 'b/0', 'a/new')
    const one = await changes(versions[0] ?? '')
    assert.deepEqual(one.states, { [first]: 'visited', 'http://a.test/new': 'queued' })
    assert.deepEqual(one.edges, (await graph(storeHarness)).edges)
    const second = await visit()
    const third = await visit('b/0')
    // The last node that a version knows may be repeated.
    assert.deepEqual((await changes(versions[2] ?? '')).states, { [second]: 'visited', [third]: 'visited' })
    assert.deepEqual((await changes(versions[3] ?? '')).nodes, [])
    await storeHarness.store.crawls.close(storeHarness.crawlId, 'cancelled')
    const rest = (await storeHarness.rows()).filter(({ state }) => state === 'excluded')
    assert.deepEqual(
      (await changes(versions[3] ?? '')).nodes.map(({ urlId }) => urlId),
      rest.map(({ id }) => id),
    )
  },

  async 'a version that no graph has is rejected'(storeHarness) {
    await storeHarness.start(['a/0'])
    const { version } = await graph(storeHarness)
    for (const since of ['', 'x', '1-2', '1-2-3-4-5', '-1-2-3-4']) {
      await assert.rejects(graph(storeHarness, { since }), { code: 'BAD_CURSOR' }, since)
    }
    await assert.rejects(graph(storeHarness, { since: version, group: 'host' }), { code: 'BAD_CURSOR' })
    await assert.rejects(graph(storeHarness, { since: version, by: 'rank' }), { code: 'BAD_CURSOR' })
  },
}
