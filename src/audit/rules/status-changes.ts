import type { UrlState } from '../../lib/states.ts'
import type { UrlRow } from '../../ports/urls.ts'
import type { Rule } from '../rule.ts'
import { TextGroups } from '../text-groups.ts'

/** States that say what a URL leads to. */
const KNOWN: ReadonlySet<UrlState> = new Set([
  'visited',
  'redirected',
  'forbidden',
  'not_found',
  'http_error',
  'failed',
])

type Outcome = Pick<UrlRow, 'state' | 'httpStatus'>

export const statusChanges: Rule = {
  name: 'status-changes',
  title: 'Changed statuses',
  severity: 'warning',
  why: 'The URL had a different outcome when the site was crawled before.',
  fix: 'Check that the change was intended.',
  needs: 'earlier_crawl',
  start({ add }) {
    const urls = new TextGroups()
    const before: Outcome[] = []
    const outcomes = new Map<string, Outcome>()
    return {
      earlierUrl({ url, state, httpStatus }) {
        if (!KNOWN.has(state)) return
        const outcome = { state, httpStatus }
        const key = describe(outcome)
        // Equal outcomes share one object.
        if (!outcomes.has(key)) outcomes.set(key, outcome)
        before[urls.add(url)] = outcomes.get(key) ?? outcome
      },
      report({ id, url, state, httpStatus }) {
        const index = KNOWN.has(state) ? urls.find(url) : -1
        const earlier = before[index]
        if (earlier === undefined || describe(earlier) === describe({ state, httpStatus })) return
        add({ urlId: id, url, detail: `${describe(earlier)} before, ${describe({ state, httpStatus })} now` })
      },
      skipReason: () => (urls.size === 0 ? 'no_earlier_crawl' : null),
    }
  },
}

function describe({ state, httpStatus }: Outcome): string {
  return state === 'failed' || httpStatus === null ? 'No response' : `Status ${httpStatus}`
}
