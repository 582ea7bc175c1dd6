// A crawl in memory, breadth first, as crawl threads do it: suspects last, capped urls not at all. Pages go round to the
// threads, which tell each other what they learn, by way of a store, every few pages.

import type { PatternReport } from '../../ports/patterns.ts'
import { TrapWatch } from './watch.ts'

export interface SimulatedPage {
  /** One line for each block. */
  text: string
  links: string[]
}

/** Answers a path; null is 404. */
export type Answer = (path: string) => SimulatedPage | null

export interface Crawled {
  /** Paths fetched, in order. */
  fetched: string[]
  /** Paths not fetched, by the pattern that kept us from it. */
  excluded: Map<string, string>
  /** The path that first led to a path. */
  leaders: Map<string, string>
  /** Pages whose text was asked for. */
  texts: number
  patterns: Map<string, PatternReport>
}

export const HOST = 'site.example'
const ORIGIN = `https://${HOST}`
export const MAX_FETCHES = 20_000
const REPORT_EVERY = 50

export function crawl(answer: Answer, threads = 1): Crawled {
  const crawled = { fetched: [] as string[], excluded: new Map(), leaders: new Map(), texts: 0, patterns: new Map() }
  const workers = Array.from({ length: threads }, () => ({ watch: new TrapWatch(), seen: new Set(['/']) }))
  const queued = new Set(['/'])
  const queue = ['/']
  const suspects: string[] = []
  for (let turn = 0, at = 0, late = 0; crawled.fetched.length < MAX_FETCHES; turn++) {
    const path = at < queue.length ? queue[at++] : suspects[late++]
    const worker = workers[turn % threads]
    if (path === undefined || worker === undefined) break
    if (turn % REPORT_EVERY === 0) exchange(workers, crawled.patterns)
    const { watch, seen } = worker
    const cap = watch.judge(ORIGIN + path, HOST)
    if (cap !== null) {
      crawled.excluded.set(path, cap)
      continue
    }
    crawled.fetched.push(path)
    const page = answer(path)
    if (page === null) continue
    const wantsText = watch.wantsText(ORIGIN + path, HOST)
    if (wantsText) crawled.texts += 1
    const news = new Set(page.links.filter((link) => !seen.has(link)))
    const found = [...news].map((link) => {
      const isSuspect = watch.isSuspect(ORIGIN + link, HOST)
      seen.add(link)
      if (!queued.has(link)) {
        queued.add(link)
        crawled.leaders.set(link, path)
        const list = isSuspect ? suspects : queue
        list.push(link)
      }
      return { url: ORIGIN + link, host: HOST, isSuspect }
    })
    watch.record({ url: ORIGIN + path, host: HOST, text: wantsText ? page.text : null, found })
  }
  exchange(workers, crawled.patterns)
  return crawled
}

function exchange(workers: { watch: TrapWatch }[], totals: Map<string, PatternReport>): void {
  const changed = new Set<PatternReport>()
  for (const { watch } of workers) {
    for (const { pattern, state, visits, fruitless } of watch.takeReports()) {
      const known = totals.get(pattern) ?? { pattern, state, visits: 0, fruitless: 0 }
      known.visits += visits
      known.fruitless += fruitless
      if (known.state !== 'capped') known.state = state
      totals.set(pattern, known)
      changed.add(known)
    }
  }
  for (const { watch } of workers) watch.learn([...changed])
}
