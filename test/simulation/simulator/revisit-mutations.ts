// Mutations of the rules of revisiting. The simulation knows what must hold for every crawl: its ledger, politeness, and
// that every URL is visited again. When that is, and with which request, is in the contract of the stores.

import type { Mutation } from './mutation.ts'

const RECORDER = 'src/store/frontier/sqlite/recrawl/revisit-recorder.ts'
const REVISITS = 'src/store/frontier/sqlite/recrawl/revisits.ts'
const PLAN = 'src/frontier/revisit-plan.ts'
const DUE_TIME = 'src/frontier/recrawl/due-time.ts'
const BUDGET = 'src/frontier/recrawl/budget.ts'
const HOST = 'src/frontier/host-freshness.ts'

const CONTRACT = 'src/store/sqlite/revisits.test.ts'
const CHANGES_CONTRACT = 'src/store/sqlite/changes.test.ts'
const PLAN_TEST = 'src/frontier/revisit-plan.test.ts'
const DUE_TIME_TEST = 'src/frontier/recrawl/due-time.test.ts'
const BUDGET_TEST = 'src/frontier/recrawl/budget.test.ts'

/** Rules that the simulation knows. */
const SIMULATED: Mutation[] = [
  {
    name: 'a crawl with --recrawl completes',
    file: 'src/frontier/limits.ts',
    from: "closing === null && isRecrawled(settings) ? 'watching' : endStatus(closing)",
    to: 'endStatus(closing)',
  },
  {
    name: 'a crawl goes on watching with URLs in the queue',
    file: 'src/store/frontier/sqlite/crawl-state/active-crawls.ts',
    from: "crawl.status = isIdle ? idleStatus(crawl.settings, crawl.closing) : 'running'",
    to: 'if (isIdle) crawl.status = idleStatus(crawl.settings, crawl.closing)',
  },
  {
    name: 'a visit that finds nothing changed counts as an attempt',
    file: 'src/store/frontier/sqlite/record-visits.ts',
    from: 'facts === null || isUnchanged ? 0 : 1',
    to: 'facts === null ? 0 : 1',
  },
  {
    name: 'a URL is visited again only once',
    file: RECORDER,
    from: 'this.plan(crawl, url, { history: after, before, isOpen: isOpen(row), from: now, known: learned })',
    to: 'if (before === null) this.plan(crawl, url, { history: after, before, isOpen: isOpen(row), from: now, known: learned })',
  },
  {
    name: 'a URL that is queued again does not count as an open revisit',
    file: RECORDER,
    from: 'if (isMarked) crawl.openRevisits += 1',
    to: 'if (isMarked && crawl.rowId < 0) crawl.openRevisits += 1',
  },
  {
    name: 'a page that is gone still counts towards max_pages',
    file: RECORDER,
    from: 'if (isKnownPage(history, kind)) crawl.knownPages += 1',
    to: 'crawl.knownPages += 1',
  },
  {
    name: 'a URL that returns to its last outcome is never visited again',
    file: 'src/store/frontier/sqlite/recrawl/restore-revisits.ts',
    from: 'due_at = visited_at + interval_ms where',
    to: 'due_at = due_at where',
  },
  {
    name: 'a signal makes a queued URL due again',
    file: RECORDER,
    from: 'due_at = min(due_at, ?) where',
    to: 'due_at = ? where',
  },
]

/** Rules about times and requests. */
const BY_CONTRACT: Mutation[] = [
  {
    name: 'the link rank of a page does not count',
    file: 'src/frontier/recrawl/importance.ts',
    from: 'importance * (0.5 + (linkRank ?? DEFAULT_RANK))',
    to: 'importance',
    contract: PLAN_TEST,
  },
  {
    name: 'a URL is queued before it is due',
    file: REVISITS,
    from: 'where r.crawl = ? and r.due_at <= ? order by r.due_at limit ?',
    to: 'where r.crawl = ? and r.due_at <= ? + 3600000 order by r.due_at limit ?',
    contract: CONTRACT,
  },
  {
    name: 'an interval is not kept',
    file: PLAN,
    from: "if (typeof recrawl === 'number') return from + recrawl",
    to: "if (typeof recrawl === 'number') return from + 2 * recrawl",
    contract: PLAN_TEST,
  },
  {
    name: 'the time of a schedule is not waited for',
    file: PLAN,
    from: 'return times === null ? dueAt : times.nextAfter(Math.max(from, dueAt - 1))',
    to: 'return times === null || dueAt > 0 ? dueAt : times.nextAfter(Math.max(from, dueAt - 1))',
    contract: CONTRACT,
  },
  {
    name: 'a budget does not limit revisits',
    file: PLAN,
    from: 'return budget === null ? limit : Math.min(limit, visitsAllowed(budget))',
    to: 'return budget === null || limit > 0 ? limit : Math.min(limit, visitsAllowed(budget))',
    contract: CONTRACT,
  },
  {
    name: 'revisits do not use up the budget',
    file: BUDGET,
    from: 'tokens: budget.tokens - visits',
    to: 'tokens: budget.tokens - 0 * visits',
    contract: CONTRACT,
  },
  {
    name: 'the threshold does not follow the budget',
    file: BUDGET,
    from: 'clampThreshold(budget.threshold * 2 ** (-level * steps))',
    to: 'clampThreshold(budget.threshold * 2 ** (-0 * level * steps))',
    contract: BUDGET_TEST,
  },
  {
    name: 'a page that turns out to be due later is visited anyway',
    file: DUE_TIME,
    from: 'return dueAt - now > TOLERANCE * (dueAt - visitedAt)',
    to: 'return dueAt - now > 1e15 * (dueAt - visitedAt)',
    contract: DUE_TIME_TEST,
  },
  {
    name: 'a page is visited before --recrawl-min',
    file: DUE_TIME,
    from: 'return value > min ? Math.min(value, max) : min',
    to: 'return Math.min(value, max, max - 0 * min)',
    contract: DUE_TIME_TEST,
  },
  {
    name: 'a page is visited after --recrawl-max',
    file: DUE_TIME,
    from: 'return value > min ? Math.min(value, max) : min',
    to: 'return value > min ? Math.max(value, 0 * max) : min',
    contract: DUE_TIME_TEST,
  },
  {
    name: 'a page that is gone is visited as often as before',
    file: DUE_TIME,
    from: 'clamp(lastIntervalMs * 2, minMs, maxMs)',
    to: 'clamp(lastIntervalMs, minMs, maxMs)',
    contract: CONTRACT,
  },
  {
    name: 'a page that is gone is not given the interval of one that is gone',
    file: PLAN,
    from: "if (isGone(history) || history.state === 'excluded' || hasNeverAnswered) {",
    to: "if (history.state === 'excluded' || hasNeverAnswered) {",
    contract: CONTRACT,
  },
  {
    name: 'pages that never answered are visited like others',
    file: PLAN,
    from: "const hasNeverAnswered = history.visits === 0 && typeof recrawl !== 'number'",
    to: "const hasNeverAnswered = history.visits < 0 && typeof recrawl !== 'number'",
    contract: CONTRACT,
  },
  {
    name: 'a page that returns counts as changed',
    file: 'src/frontier/page-changes.ts',
    from: "return last.pageId === null ? 'added' : 'returned'",
    to: "return last.pageId === null ? 'added' : 'changed'",
    contract: CHANGES_CONTRACT,
  },
  {
    name: 'requests are conditional before the validators of their host were tested',
    file: HOST,
    from: 'return tests >= FIRST_TESTS && honest',
    to: 'return tests >= 0 * FIRST_TESTS && honest',
    contract: CONTRACT,
  },
  {
    name: 'validators that lie are trusted',
    file: HOST,
    from: 'honest >= lied * HONEST_PER_LIE',
    to: 'honest >= 0 * lied * HONEST_PER_LIE',
    contract: CONTRACT,
  },
  {
    name: 'requests are never conditional',
    file: HOST,
    from: 'return tests >= FIRST_TESTS && honest',
    to: 'return tests >= 1e9 * FIRST_TESTS && honest',
    contract: CONTRACT,
  },
  {
    name: 'validators are not tested again',
    file: HOST,
    from: '(url.id + url.visits) % VISITS_PER_TEST !== 0',
    to: '(url.id + url.visits) % VISITS_PER_TEST !== -1',
    contract: 'src/frontier/host-freshness.test.ts',
  },
  {
    name: 'a response without the content makes what was seen forgotten',
    file: 'src/frontier/revisit-history.ts',
    from: '...(end.isUnchanged ? repeatedFacts(before, end) : newFacts(end)),',
    to: '...newFacts(end),',
    contract: PLAN_TEST,
  },
  {
    name: 'a failed visit counts as an observation',
    file: 'src/frontier/revisit-history.ts',
    from: 'if (!isObservation(end)) return { ...before, state, reason, importance }',
    to: '',
    contract: CONTRACT,
  },
]

export const REVISIT_MUTATIONS: Mutation[] = [...SIMULATED, ...BY_CONTRACT]
