import type { Rule } from '../rule.ts'

export const missingTitles: Rule = {
  name: 'missing-titles',
  title: 'Missing titles',
  severity: 'warning',
  why: 'The title is the name of a page in search results, tabs and bookmarks.',
  fix: 'Add a title element that says what the page is about.',
  needs: null,
  start({ urls, add }) {
    return {
      report({ id, url, title }, index) {
        const isMissing = title === null || title.trim() === ''
        if (isMissing && urls.isIndexable(index)) add({ urlId: id, url, detail: 'No title' })
      },
    }
  },
}
