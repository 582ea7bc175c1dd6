import type { Rule } from '../rule.ts'

export const missingH1: Rule = {
  name: 'missing-h1',
  title: 'Pages without an h1',
  severity: 'notice',
  why: 'The main heading tells readers, screen readers and search engines what the page is about.',
  fix: 'Mark up the main heading of the page as h1.',
  needs: 'archive',
  start({ urls, add }) {
    return {
      page({ index, version: { url, title }, facts: { headings } }) {
        if (headings.length > 0 || !urls.isIndexable(index)) return
        add({ urlId: urls.idOf(index), url, text: title, detail: 'No h1' })
      },
    }
  },
}
