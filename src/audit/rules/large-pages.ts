import type { Rule } from '../rule.ts'

const MAX_BYTES = 1_000_000

export const largePages: Rule = {
  name: 'large-pages',
  title: 'Large pages',
  severity: 'notice',
  why: 'More than 1 MB of HTML is slow on phones, and search engines may read only the start of it.',
  fix: 'Split the page, and move embedded images, styles and data to files.',
  needs: null,
  start({ urls, add }) {
    return {
      report({ id, url, title, contentLength }, index) {
        if (contentLength === null || contentLength <= MAX_BYTES || !urls.has(index, 'page')) return
        add({ urlId: id, url, text: title, detail: `${(contentLength / 1_000_000).toFixed(1)} MB of HTML` })
      },
    }
  },
}
