import type { Rule } from '../rule.ts'

const MAX_DEPTH = 5

export const deepPages: Rule = {
  name: 'deep-pages',
  title: 'Deep pages',
  severity: 'notice',
  why: 'Visitors rarely follow more than five links to find a page, and search engines visit it less often.',
  fix: 'Link to the page from one that is closer to the start.',
  needs: null,
  start({ urls, add }) {
    return {
      report({ id, url, title, depth }, index) {
        if (depth <= MAX_DEPTH || !urls.isIndexable(index)) return
        add({ urlId: id, url, text: title, detail: `${depth} links from the start` })
      },
    }
  },
}
