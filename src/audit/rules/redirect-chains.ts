import type { Rule } from '../rule.ts'

export const redirectChains: Rule = {
  name: 'redirect-chains',
  title: 'Redirect chains',
  severity: 'warning',
  why: 'Each step delays the page, and search engines give up after a few.',
  fix: 'Let the first redirect lead to the last URL directly.',
  needs: null,
  start({ urls, add }) {
    let targets: Set<string> | null = null
    return {
      report({ id, url, state }, index) {
        if (state !== 'redirected') return
        targets ??= new Set([...urls.problems()].flatMap(([, { redirectTo }]) => redirectTo ?? []))
        const end = urls.followRedirects(index)
        // A chain is reported once, where it starts.
        if (end === null || end.isLoop || end.path.length < 3 || targets.has(url)) return
        const [last = null] = end.path.slice(-1)
        const otherUrlId = end.index === -1 ? null : urls.idOf(end.index)
        const detail = `${end.path.length - 1} redirects: ${end.path.join(' → ')}`
        add({ urlId: id, url, otherUrlId, otherUrl: last, detail })
      },
    }
  },
}
