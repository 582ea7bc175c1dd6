import type { Rule } from '../rule.ts'

export const canonicalConflicts: Rule = {
  name: 'canonical-conflicts',
  title: 'Canonical conflicts',
  severity: 'warning',
  why: 'A canonical URL that cannot be indexed is ignored, or takes the page out of search results.',
  fix: 'Name one canonical URL that responds with status 200, can be indexed, and names itself.',
  needs: null,
  start({ urls, add }) {
    /** Why a search engine cannot take it as the canonical URL; null if it can, or if that is not known. */
    const problemOf = (target: number): string | null => {
      const { broken = null, redirectTo = null } = urls.problemOf(target) ?? {}
      if (broken !== null) return `The canonical URL is broken: ${broken}`
      if (redirectTo !== null) return `The canonical URL redirects to ${redirectTo}`
      if (urls.has(target, 'noindex')) return 'The canonical URL has noindex'
      if (urls.has(target, 'canonicalised')) return 'The canonical URL names another canonical URL'
      return null
    }
    return {
      page({ index, version: { url }, facts: { canonicals } }) {
        if (canonicals.length < 2 || !urls.has(index, 'page')) return
        const detail = `${canonicals.length} canonical links: ${canonicals.slice(0, 3).join(', ')}`
        add({ urlId: urls.idOf(index), url, detail })
      },
      report({ id, url, canonical }, index) {
        if (canonical === null || canonical === url || !urls.has(index, 'page')) return
        const target = urls.indexOfUrl(canonical)
        const problem = target === -1 ? null : problemOf(target)
        if (problem === null) return
        add({ urlId: id, url, otherUrlId: urls.idOf(target), otherUrl: canonical, detail: problem })
      },
    }
  },
}
