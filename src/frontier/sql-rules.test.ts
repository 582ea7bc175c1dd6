// Rules of this folder that Postgres evaluates in SQL have a second form with the suffix Sql or _SQL, next to the
// TypeScript form. These tests compare the two on the same input.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { pageCount } from '../lib/states.ts'
import type { CrawlSettings } from '../ports/crawls.ts'
import { PATTERN_STATES } from '../ports/patterns.ts'
import { testPool } from '../store/testing/test-pool.ts'
import { hostSlotParameters, IS_EXCLUSIVE_SQL, isExclusiveHost } from './host-slots.ts'
import {
  isAvailableTo,
  isAvailableToSql,
  isTurnOver,
  isTurnOverSql,
  reservedUntil,
  reservedUntilSql,
} from './host-turns.ts'
import { mergedStateSql, mergeStates } from './judge-pattern.ts'
import { PAGES_SQL } from './limits.ts'
import {
  delayMsSql,
  HAS_GAP_SQL,
  hasGap,
  isRecentSql,
  nextAtAfterLoss,
  nextAtAfterLossSql,
  nextAtAfterRestart,
  nextAtAfterRestartSql,
} from './next-request.ts'
import { isContentChanged, isContentChangedSql } from './page-versions.ts'
import { weightedRank, weightedRankSql } from './rank.ts'
import { isShorterPath, isShorterPathSql } from './shortest-path.ts'

const NOW = 1_800_000_000_000
const DAY_MS = 86_400_000

/** Every combination of one value per list. */
function combinations<T extends Record<string, readonly unknown[]>>(lists: T): { [K in keyof T]: T[K][number] }[] {
  let rows: Record<string, unknown>[] = [{}]
  for (const [name, values] of Object.entries(lists)) {
    rows = rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value })))
  }
  return rows as { [K in keyof T]: T[K][number] }[]
}

interface RuleCase<Input> {
  inputs: Input[]
  /** The relations that the fragment reads, each with one row; the parameters start at $1. */
  from: string
  fragment: string
  values: (input: Input) => unknown[]
  rule: (input: Input) => unknown
}

async function assertSameRule<Input>(t: TestContext, { inputs, from, fragment, values, rule }: RuleCase<Input>) {
  const pool = await testPool(t)
  for (const input of inputs) {
    const { rows } = await pool.query(`select ${fragment} as result from ${from}`, values(input))
    assert.equal(rows[0].result, rule(input), JSON.stringify(input))
  }
}

const TIMINGS = combinations({ gapMs: [0, 1, 500], responseMs: [0, 80], concurrencyLimit: [0, 1, 3.5, 8, 16] })
const SETTINGS = combinations({ delayMs: [0, 250, 'auto'] as const, ignoreRobots: [false, true], perHost: [1, 4, 8] })
const TIMING_ROW = '(select $4::int as gap_ms, $5::int as response_ms, $6::float8 as concurrency_limit) h'

function timingInputs() {
  return SETTINGS.flatMap((settings) => TIMINGS.map((timing) => ({ settings: settings as CrawlSettings, timing })))
}

/** Parameters for the settings and for TIMING_ROW. */
function timingParameters({ settings, timing }: ReturnType<typeof timingInputs>[number]): unknown[] {
  return [...hostSlotParameters(settings), timing.gapMs, timing.responseMs, timing.concurrencyLimit]
}

test('hasGap', (t) =>
  assertSameRule(t, {
    inputs: timingInputs(),
    // All three parameters are used, so that the server knows their types.
    from: `${TIMING_ROW}, (select $3::int) unused`,
    fragment: HAS_GAP_SQL,
    values: timingParameters,
    rule: ({ settings, timing }) => hasGap(settings, timing),
  }))

test('isExclusiveHost', (t) =>
  assertSameRule(t, {
    inputs: timingInputs(),
    from: TIMING_ROW,
    fragment: IS_EXCLUSIVE_SQL,
    values: timingParameters,
    rule: ({ settings, timing }) => isExclusiveHost(settings, timing),
  }))

const HOST_ROW = '(select $1::bigint as next_at, $2::int as gap_ms) h'

test('nextAtAfterLoss', (t) =>
  assertSameRule(t, {
    inputs: combinations({
      nextAt: [0, NOW - 5, NOW + 700, NOW + 5000],
      gapMs: [0, 500, 2000],
      delayMs: [0, 800, 'auto'] as const,
    }),
    from: `${HOST_ROW}, (select ${delayMsSql('$3::text')} as ms) d`,
    fragment: nextAtAfterLossSql('d.ms', '$4::bigint'),
    values: ({ nextAt, gapMs, delayMs }) => [nextAt, gapMs, String(delayMs), NOW],
    rule: ({ nextAt, gapMs, delayMs }) => nextAtAfterLoss({ nextAt, gapMs }, delayMs, NOW),
  }))

const RESTARTS = combinations({
  nextAt: [0, NOW - 70_000, NOW - 60_500, NOW - 60_000, NOW, NOW + 300, NOW + DAY_MS, NOW + 2 * DAY_MS],
  gapMs: [0, 500, 10_000],
})

test('nextAtAfterRestart', (t) =>
  assertSameRule(t, {
    inputs: RESTARTS,
    from: HOST_ROW,
    fragment: nextAtAfterRestartSql('$3::bigint'),
    values: ({ nextAt, gapMs }) => [nextAt, gapMs, NOW],
    rule: (host) => nextAtAfterRestart(host, NOW),
  }))

test('isRecentSql finds every host whose time a restart changes', async (t) => {
  const pool = await testPool(t)
  for (const host of RESTARTS) {
    const text = `select ${isRecentSql('$3::bigint')} as result from ${HOST_ROW}`
    const { rows } = await pool.query(text, [host.nextAt, host.gapMs, NOW])
    if (nextAtAfterRestart(host, NOW) !== host.nextAt) assert.equal(rows[0].result, true, JSON.stringify(host))
  }
})

test('isShorterPath', (t) =>
  assertSameRule(t, {
    inputs: combinations({ depth: [0, 1, 2], hops: [0, 1, 5], knownDepth: [0, 1, 2], knownHops: [0, 1, 5] }),
    from: '(select $1::int as depth, $2::int as hops) p, (select $3::int as depth, $4::int as hops) k',
    fragment: isShorterPathSql('p', 'k'),
    values: ({ depth, hops, knownDepth, knownHops }) => [depth, hops, knownDepth, knownHops],
    rule: ({ depth, hops, knownDepth, knownHops }) =>
      isShorterPath({ depth, hops }, { depth: knownDepth, hops: knownHops }),
  }))

test('weightedRank', (t) =>
  assertSameRule(t, {
    inputs: combinations({ rank: [0, 1, 2, 5, 9, 10], weight: [0.1, 0.25, 0.5, 1, 1.5, 2, 3.3, 10] }),
    from: '(select $1::smallint as rank, $2::float8 as weight) q',
    fragment: weightedRankSql('q.rank', 'q.weight'),
    values: ({ rank, weight }) => [rank, weight],
    rule: ({ rank, weight }) => weightedRank(rank, weight),
  }))

test('the queues have the rank of weightedRank', async (t) => {
  const pool = await testPool(t)
  const queues = combinations({ rank: [0, 1, 2, 5, 9, 10], weight: [0.1, 0.25, 0.5, 1, 1.5, 2, 3.3, 10] })
  for (const [host, { rank, weight }] of queues.entries()) {
    const text = 'insert into queues (crawl, host, rank, due_at, weight) values (1, $1, $2, 0, $3) returning turn_rank'
    const { rows } = await pool.query(text, [host, rank, weight])
    assert.equal(rows[0].turn_rank, weightedRank(rank, weight), JSON.stringify({ rank, weight }))
  }
})

test('pageCount', (t) =>
  assertSameRule(t, {
    inputs: combinations({ visited: [0, 5, 9], sitemaps: [0, 2], requisites: [0, 3] }),
    from: '(select $1::int as visited, $2::int as sitemaps, $3::int as requisites) counters',
    fragment: PAGES_SQL,
    values: ({ visited, sitemaps, requisites }) => [visited, sitemaps, requisites],
    rule: ({ visited, ...others }) => pageCount({ ledger: { visited }, ...others }),
  }))

test('isTurnOver', (t) =>
  assertSameRule(t, {
    inputs: [NOW, NOW - 999, NOW - 1000, NOW - 1001],
    from: '(select $1::bigint as granted_at) l',
    fragment: isTurnOverSql('l.granted_at', '$2::bigint'),
    values: (grantedAt) => [grantedAt, NOW],
    rule: (grantedAt) => isTurnOver(grantedAt, NOW),
  }))

test('reservedUntil', (t) =>
  assertSameRule(t, {
    inputs: [0, NOW - 1, NOW, NOW + 300],
    from: '(select $1::bigint as next_at) h',
    fragment: reservedUntilSql('$2::bigint'),
    values: (nextAt) => [nextAt, NOW],
    rule: (nextAt) => reservedUntil(nextAt, NOW),
  }))

test('isAvailableTo', (t) =>
  assertSameRule(t, {
    inputs: combinations({
      // Postgres keeps the thread in kept_for, and the crawl in kept_crawl only if it is for the crawl.
      reservedFor: ['nobody', 'worker', 'crawl'] as const,
      until: [NOW - 1, NOW, NOW + 1],
      downUntil: [0, NOW, NOW + 1],
      crawl: [1, 2],
      holder: ['a', 'b'],
      isExclusive: [false, true],
    }),
    from: `(select $1::bigint as kept_until, $2::bigint as down_until, $3::int as kept_crawl, $4::text as kept_for) h`,
    // A where clause takes null as false.
    fragment: `coalesce(${isAvailableToSql({ crawl: '$5::int', holder: '$6::text', now: '$7::bigint', isExclusive: '$8::boolean' })}, false)`,
    values: ({ reservedFor, until, downUntil, crawl, holder, isExclusive }) => [
      reservedFor === 'nobody' ? 0 : until,
      downUntil,
      reservedFor === 'crawl' ? 1 : null,
      reservedFor === 'nobody' ? null : 'a',
      crawl,
      holder,
      NOW,
      isExclusive,
    ],
    rule: ({ reservedFor, until, downUntil, ...requester }) => {
      const holder = reservedFor === 'worker' ? 'a' : null
      const reservation = reservedFor === 'nobody' ? null : { holder, crawl: 1, until }
      return isAvailableTo({ reservation, downUntil }, requester, NOW)
    },
  }))

test('mergeStates', (t) =>
  assertSameRule(t, {
    inputs: combinations({ first: PATTERN_STATES, second: PATTERN_STATES, third: PATTERN_STATES }),
    from: `unnest(array[$1, $2, $3]::text[], array[1, 2, 3]) as p (state, changed_at)`,
    fragment: mergedStateSql('p.'),
    values: ({ first, second, third }) => [first, second, third],
    rule: ({ first, second, third }) => mergeStates(mergeStates(first, second), third),
  }))

test('isContentChanged', (t) =>
  assertSameRule(t, {
    inputs: combinations({ before: [null, 'aa', 'ab', 'aab0'], hash: ['aa', 'ab'] }),
    from: `(select decode($1::text, 'hex') as before, decode($2::text, 'hex') as hash) v`,
    fragment: isContentChangedSql('v.before', 'v.hash'),
    values: ({ before, hash }) => [before, hash],
    rule: ({ before, hash }) => isContentChanged(before === null ? null : Buffer.from(before, 'hex'), hash),
  }))
