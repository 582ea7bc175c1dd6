import { checkProblemLinks } from '../problem-links.ts'
import type { Rule } from '../rule.ts'

export const linksToRedirects: Rule = {
  name: 'links-to-redirects',
  title: 'Links to redirects',
  severity: 'notice',
  why: 'Every redirect costs visitors and crawlers one more request.',
  fix: 'Link to the URL that the redirect leads to.',
  needs: null,
  start: (context) => {
    const { urls } = context
    return checkProblemLinks(context, (target) => {
      const end = urls.followRedirects(target)
      const problem = urls.problemOf(target)
      if (end === null || problem === undefined || end.isLoop || problem.isLoop) return null
      // A link to such a redirect counts as broken.
      if ((urls.problemOf(end.index)?.broken ?? null) !== null) return null
      return { url: problem.url, detail: `Status ${problem.httpStatus ?? 'unknown'}, leads to ${end.path.at(-1)}` }
    })
  },
}
