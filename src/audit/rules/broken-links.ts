import { checkProblemLinks } from '../problem-links.ts'
import type { Rule } from '../rule.ts'

export const brokenLinks: Rule = {
  name: 'broken-links',
  title: 'Broken links',
  severity: 'error',
  why: 'Visitors who follow the link see an error, and search engines stop there.',
  fix: 'Correct the link on the page, remove it, or redirect its target to a page that exists.',
  needs: null,
  start: (context) => {
    const { urls } = context
    return checkProblemLinks(context, (target) => {
      const problem = urls.problemOf(target)
      if (problem === undefined) return null
      if (problem.broken !== null) return { url: problem.url, detail: problem.broken }
      const end = urls.followRedirects(target)
      const broken = end === null || end.isLoop ? null : (urls.problemOf(end.index)?.broken ?? null)
      return broken === null ? null : { url: problem.url, detail: `${broken}, after a redirect to ${end?.path.at(-1)}` }
    })
  },
}
