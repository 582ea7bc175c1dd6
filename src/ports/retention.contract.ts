// Versions whose time is over, and the bytes they leave.

import assert from 'node:assert/strict'
import type { Position } from './archive.ts'
import type { PageReport, PageVersion } from './pages.ts'
import type { Retention } from './retention.ts'
import { Bench, describeStore, only, type TestStore } from './store.contract.ts'

export interface RetainingStore extends TestStore {
  retention: Retention
  reopen(): Promise<RetainingStore>
}

const DAY_MS = 86_400_000
const HASH = (n: number) => n.toString(16).padStart(64, '0')

/** Those that the cases use, and one that no store knows. */
const SEGMENTS = ['s', 't', 'u', 'v', 'none']

function at(segment: string, offset: number, length = 10): Position {
  return { segment, offset, length }
}

export class RetentionBench extends Bench {
  declare store: RetainingStore

  /** Visits a url in a crawl of its own; `payload` is brought by this visit unless it says otherwise. */
  async visit(url: string, position: Position | null, changes: Partial<PageReport> = {}, keepDays: number | null = 1) {
    await this.start([url], { keepDays })
    const lease = only((await this.lease()).leases)
    const facts = { charset: null, lang: null, description: null, keywords: null, words: null, note: null }
    const page = { ...facts, digest: HASH(1), wireBytes: 9, hasPayload: true, fingerprint: null, resembles: null }
    const report = { ...this.visited(lease, only(lease.urls)), page: { ...page, position, ...changes } }
    await this.commit([report], { release: [lease.token] })
  }

  /** Moves on by so many days and drops all whose time is over. */
  async pass(days: number): Promise<number> {
    this.store.clock.advance(days * DAY_MS)
    return this.store.retention.expire(this.store.clock.now(), 100)
  }

  /** Nobody counts on an unused payload any more. */
  sweep(): Promise<number> {
    return this.store.retention.sweep(this.store.clock.now(), 100)
  }

  versions(url: string): Promise<PageVersion[]> {
    return this.store.pages.history(`http://${url.replace('/', '.test/')}`)
  }

  async worn() {
    const worn = await this.store.retention.worn(SEGMENTS)
    return worn.map(({ segment, deadBytes, isEmpty }) => `${segment} ${deadBytes}${isEmpty ? ' empty' : ''}`)
  }

  /** Everything that is needed of a segment goes to another one. */
  async moveAll(from: string, to: string): Promise<number> {
    const records = await this.store.retention.liveRecords(from, 100)
    return this.store.retention.move(records.map((record, i) => ({ record, to: at(to, i * 10) })))
  }
}

type Case = (bench: RetentionBench) => Promise<void>

const CASES: Record<string, Case> = {
  'who opened the store is alone with it until another does': async (bench) => {
    assert.equal(await bench.store.retention.isAlone(), true)
    bench.store = await bench.store.reopen()
    assert.equal(await bench.store.retention.isAlone(), true)
  },

  'a version goes when its time is over, and not before': async (bench) => {
    await bench.visit('a/1', at('s', 0), {}, 2)
    assert.equal(await bench.pass(1.99), 0)
    assert.equal((await bench.versions('a/1')).length, 1)
    assert.equal(await bench.pass(0.01), 1)
    assert.deepEqual(await bench.versions('a/1'), [])
  },

  'what is kept for ever stays': async (bench) => {
    await bench.visit('a/1', at('s', 0), {}, null)
    assert.equal(await bench.pass(100_000), 0)
    assert.equal((await bench.versions('a/1')).length, 1)
  },

  'a version without bytes goes too': async (bench) => {
    await bench.visit('a/1', null)
    assert.equal(await bench.pass(1), 1)
    assert.deepEqual(await bench.worn(), [])
  },

  'no more go at a time than asked for': async (bench) => {
    for (let i = 0; i < 5; i++) await bench.visit(`a/${i}`, i === 4 ? null : at('s', i * 10), { digest: HASH(i) })
    bench.store.clock.advance(DAY_MS)
    const dropped = []
    for (let i = 0; i < 4; i++) dropped.push(await bench.store.retention.expire(bench.store.clock.now(), 2))
    assert.deepEqual(dropped, [2, 2, 1, 0])
    assert.equal(await bench.store.retention.sweep(bench.store.clock.now(), 3), 3)
    assert.equal(await bench.sweep(), 1)
  },

  'versions keep their numbers, and ids are not given again': async (bench) => {
    await bench.visit('a/1', at('s', 0))
    await bench.visit('a/1', at('s', 10), { hasPayload: false }, 2)
    const [, second] = await bench.versions('a/1')
    await bench.pass(1)
    assert.deepEqual([only(await bench.versions('a/1')).version, second?.version], [2, 2])
    await bench.pass(1)
    bench.store = await bench.store.reopen()
    await bench.visit('a/1', at('s', 20))
    assert.ok(only(await bench.versions('a/1')).id > (second?.id ?? 0))
  },

  'a payload lives as long as any version has it, wherever it came from': async (bench) => {
    await bench.visit('a/1', at('s', 0))
    await bench.visit('b/1', at('t', 0), { hasPayload: false }, 2)
    await bench.pass(1)
    assert.equal(await bench.sweep(), 0)
    assert.deepEqual(only(await bench.versions('b/1')).payload, at('s', 0))
    assert.deepEqual(await bench.worn(), [])
    await bench.pass(1)
    assert.deepEqual(await bench.worn(), ['t 10 empty'])
    assert.equal(await bench.sweep(), 1)
    assert.deepEqual(await bench.worn(), ['s 10 empty', 't 10 empty'])
  },

  'a payload that nobody has is not told of, but a report that counts on it still finds it': async (bench) => {
    await bench.visit('a/1', at('s', 0))
    const ask = async () => only(await bench.store.contents.find([{ digest: HASH(1), fingerprint: null }])).sameAs
    assert.notEqual(await ask(), null)
    await bench.pass(1)
    assert.equal(await ask(), null)
    await bench.visit('b/1', at('t', 0), { hasPayload: false })
    assert.equal(await bench.sweep(), 0)
    assert.deepEqual(only(await bench.versions('b/1')).payload, at('s', 0))
    assert.notEqual(await ask(), null)
  },

  'a payload that comes again before it is swept is needed again': async (bench) => {
    await bench.visit('a/1', at('s', 0))
    await bench.pass(1)
    await bench.visit('b/1', at('t', 0))
    assert.equal(await bench.sweep(), 0)
    assert.deepEqual(await bench.worn(), [])
    await bench.pass(1)
    assert.equal(await bench.sweep(), 1)
    assert.deepEqual(await bench.worn(), ['s 10 empty', 't 10 empty'])
  },

  'an unused payload stays for the time that is asked for': async (bench) => {
    await bench.visit('a/1', at('s', 0))
    await bench.pass(1)
    assert.equal(await bench.store.retention.sweep(bench.store.clock.now() - 1, 100), 0)
    assert.equal(await bench.sweep(), 1)
  },

  'nothing resembles a version that is gone': async (bench) => {
    const fingerprint = 0xab_cdef_0123_4567n
    const seen = { fingerprint, digest: HASH(2) }
    await bench.visit('a/1', at('s', 0), { fingerprint })
    await bench.visit('a/2', at('s', 10), seen, 2)
    const first = only(await bench.versions('a/1'))
    assert.equal(only(await bench.versions('a/2')).resembles, first.id)
    await bench.pass(1)
    assert.equal(only(await bench.versions('a/2')).resembles, null)
    const [known] = await bench.store.contents.find([seen])
    assert.equal(known?.resembles, null)
    await bench.visit('a/3', at('s', 20), { fingerprint, digest: HASH(3) }, 9)
    await bench.visit('a/4', at('s', 30), { fingerprint, digest: HASH(4) }, 9)
    assert.equal(only(await bench.versions('a/4')).resembles, only(await bench.versions('a/3')).id)
  },

  'a record moves with the payload it holds': async (bench) => {
    await bench.visit('a/1', at('s', 5))
    await bench.visit('b/1', at('t', 5), { hasPayload: false })
    assert.equal(await bench.moveAll('s', 'u'), 1)
    const { record, payload } = only(await bench.versions('a/1'))
    assert.deepEqual([record, payload], [at('u', 0), at('u', 0)])
    assert.deepEqual(only(await bench.versions('b/1')).payload, at('u', 0))
    assert.deepEqual(only(await bench.versions('b/1')).record, at('t', 5))
    assert.deepEqual(await bench.worn(), ['s 10 empty'])
  },

  'a payload whose version is gone moves alone': async (bench) => {
    await bench.visit('a/1', at('s', 5))
    await bench.visit('b/1', at('t', 5), { hasPayload: false }, 2)
    await bench.pass(1)
    assert.equal(await bench.moveAll('s', 'u'), 1)
    assert.deepEqual(only(await bench.versions('b/1')).payload, at('u', 0))
    await bench.pass(1)
    await bench.sweep()
    assert.deepEqual(await bench.worn(), ['s 10 empty', 't 10 empty', 'u 10 empty'])
  },

  'what has gone or moved meanwhile does not move': async (bench) => {
    await bench.visit('a/1', at('s', 5))
    await bench.visit('b/1', at('s', 15), { hasPayload: false }, null)
    const records = await bench.store.retention.liveRecords('s', 100)
    await bench.pass(1)
    await bench.moveAll('s', 'u')
    assert.equal(await bench.store.retention.move(records.map((record) => ({ record, to: at('v', 0) }))), 0)
    const { record, payload } = only(await bench.versions('b/1'))
    assert.deepEqual([record?.segment, payload?.segment], ['u', 'u'])
    assert.deepEqual(await bench.worn(), ['s 20 empty', 'v 20 empty'])
  },

  'a segment is forgotten only when nothing in it is needed': async (bench) => {
    const { retention } = bench.store
    await bench.visit('a/1', at('s', 0))
    await bench.visit('b/1', at('t', 0), { hasPayload: false }, 2)
    assert.equal(await retention.forget('s'), false)
    await bench.pass(1)
    assert.equal(await retention.forget('s'), false)
    await bench.pass(1)
    assert.equal(await retention.forget('s'), false)
    await bench.sweep()
    assert.equal(await retention.forget('s'), true)
    assert.equal(await retention.forget('none'), false)
  },

  'a forgotten segment is to be deleted until somebody says that it is': async (bench) => {
    await bench.visit('a/1', at('s', 0))
    await bench.pass(1)
    await bench.sweep()
    await bench.store.retention.forget('s')
    bench.store = await bench.store.reopen()
    const { retention } = bench.store
    assert.deepEqual([await retention.forgotten(SEGMENTS), await retention.worn(SEGMENTS)], [['s'], []])
    await retention.letGo('s')
    assert.deepEqual([await retention.forgotten(SEGMENTS), await bench.worn()], [[], []])
  },

  'only segments that were asked for are told of': async (bench) => {
    const { retention } = bench.store
    await bench.visit('a/1', at('s', 0))
    await bench.visit('b/1', at('t', 0), { digest: HASH(2) })
    await bench.pass(1)
    await bench.sweep()
    assert.deepEqual(await retention.worn(['t']), [{ segment: 't', deadBytes: 10, isEmpty: true }])
    await retention.forget('s')
    assert.deepEqual([await retention.forgotten(['t']), await retention.forgotten(['s'])], [[], ['s']])
    assert.deepEqual([await retention.forgotten([]), await retention.worn([])], [[], []])
  },

  'a segment that records shall move to is not lost sight of when none came': async (bench) => {
    const { retention } = bench.store
    await bench.visit('a/1', at('s', 0))
    await retention.expect('u')
    assert.deepEqual(await bench.worn(), ['u 0 empty'])
    await retention.expect('u')
    await bench.moveAll('s', 'u')
    assert.deepEqual(await bench.worn(), ['s 10 empty'])
    assert.equal(await retention.forget('u'), false)
  },

  'a report does not point at a segment that is forgotten': async (bench) => {
    await bench.visit('a/1', at('s', 0))
    await bench.pass(1)
    await bench.sweep()
    await bench.store.retention.forget('s')
    await assert.rejects(bench.visit('b/1', at('s', 20), { digest: HASH(2) }), { code: 'INTERNAL' })
    assert.deepEqual(await bench.versions('b/1'), [])
  },
}

export function retentionContract(name: string, makeStore: () => Promise<RetainingStore>): void {
  describeStore(`${name}: retention`, makeStore, (add) => {
    for (const [title, run] of Object.entries(CASES)) {
      add(title, async (bench) => {
        const own = new RetentionBench(bench.store)
        try {
          await run(own)
        } finally {
          bench.store = own.store
          bench.crawl = own.crawl
        }
      })
    }
  })
}
