import { REDIRECT_LOOP } from '../../ports/visits.ts'
import type { Rule } from '../rule.ts'

export const redirectLoops: Rule = {
  name: 'redirect-loops',
  title: 'Redirect loops',
  severity: 'error',
  why: 'The URL redirects back to itself, so it never opens.',
  fix: 'Correct the redirect, or remove it.',
  needs: null,
  start({ urls, add }) {
    return {
      report({ id, url, state, reason, redirectTo }, index) {
        if (state !== 'redirected') return
        const end = urls.followRedirects(index)
        if (reason !== REDIRECT_LOOP && end?.isLoop !== true) return
        const target = redirectTo === null ? -1 : urls.indexOfUrl(redirectTo)
        const otherUrlId = target === -1 ? null : urls.idOf(target)
        const path = end?.isLoop === true ? end.path : [url, redirectTo ?? '']
        add({ urlId: id, url, otherUrlId, otherUrl: redirectTo, detail: path.join(' → ') })
      },
    }
  },
}
