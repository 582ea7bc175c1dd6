import { Duplicates } from '../duplicates.ts'
import type { Rule } from '../rule.ts'

export const duplicatePages: Rule = {
  name: 'duplicate-pages',
  title: 'Duplicate pages',
  severity: 'warning',
  why: 'Search engines show only one of several identical pages, and may not pick the one you want.',
  fix: 'Redirect the copies to one URL, or name it as their canonical URL.',
  needs: null,
  start({ urls, add }) {
    const contents = new Duplicates()
    return {
      url({ contentHash }, index) {
        if (contentHash !== null && urls.isIndexable(index)) contents.add(contentHash)
      },
      report({ id, url, contentHash, title }, index) {
        if (contentHash === null || !urls.isIndexable(index)) return
        const first = contents.findFirst(contentHash, { urlId: id, url })
        if (first === null) return
        add({ urlId: id, url, otherUrlId: first.urlId, otherUrl: first.url, text: title, detail: 'Same content' })
      },
    }
  },
}
