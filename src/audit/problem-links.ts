// Links to URLs that have a problem: which pages have them, and with which anchor texts.

import { type AuditFinding, MAX_LISTED_FINDINGS } from '../ports/audits.ts'
import type { RuleCheck, RuleContext } from './rule.ts'

const MAX_ANCHOR_TEXT = 200

export interface LinkProblem {
  /** URL of the target. */
  url: string
  detail: string
}

/** `findProblem` is called once for each URL that links lead to, after all URLs are known. */
export function checkProblemLinks(
  { urls, add, countOnly }: RuleContext,
  findProblem: (target: number) => LinkProblem | null,
): RuleCheck {
  const problems = new Map<number, LinkProblem | null>()
  /** Targets by the page that has the links. */
  const links = new Map<number, number[]>()
  const anchorTexts = new Map<string, string>()
  const listed: AuditFinding[] = []
  let kept = 0
  const problemOf = (target: number): LinkProblem | null => {
    let problem = problems.get(target)
    if (problem === undefined) {
      problem = urls.problemOf(target) === undefined ? null : findProblem(target)
      if (problem !== null) problems.set(target, problem)
    }
    return problem
  }
  return {
    link(from, to) {
      if (!urls.has(from, 'visited') || urls.has(from, 'sitemap') || problemOf(to) === null) return
      kept += 1
      if (kept > MAX_LISTED_FINDINGS) return countOnly()
      const targets = links.get(from)
      if (targets === undefined) links.set(from, [to])
      else targets.push(to)
    },
    page({ index, facts }) {
      const targets = links.get(index)
      if (targets === undefined) return
      const found = Map.groupBy(facts.links(), ({ url }) => url)
      const followed = targets.filter((target) => {
        const uses = found.get(problemOf(target)?.url ?? '') ?? []
        const text = uses.find(({ anchorText }) => anchorText !== '')?.anchorText
        if (text !== undefined) anchorTexts.set(`${index} ${target}`, text.slice(0, MAX_ANCHOR_TEXT))
        // Visitors cannot follow a link element, such as a link to the canonical URL.
        return uses.length === 0 || uses.some(({ kind }) => kind !== 'link')
      })
      links.set(index, followed)
    },
    report({ id, url }, index) {
      for (const target of links.get(index) ?? []) {
        const problem = problemOf(target)
        if (problem === null) continue
        listed.push({
          urlId: id,
          url,
          otherUrlId: urls.idOf(target),
          otherUrl: problem.url,
          text: anchorTexts.get(`${index} ${target}`) ?? null,
          detail: problem.detail,
        })
      }
    },
    end() {
      // Sorts all links to one URL together.
      listed.sort((a, b) => (a.otherUrlId ?? 0) - (b.otherUrlId ?? 0) || a.urlId - b.urlId)
      for (const finding of listed) add(finding)
    },
  }
}
