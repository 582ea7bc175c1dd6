import type { Rule } from '../rule.ts'

const MAX_MS = 1000

export const slowPages: Rule = {
  name: 'slow-pages',
  title: 'Slow pages',
  severity: 'warning',
  why: 'Visitors leave pages that make them wait, and search engines visit slow sites less.',
  fix: 'Find out what takes the server so long, or cache the response.',
  needs: null,
  start({ urls, add }) {
    return {
      report({ id, url, title, fetchMs }, index) {
        if (fetchMs === null || fetchMs <= MAX_MS || !urls.has(index, 'page')) return
        add({ urlId: id, url, text: title, detail: `${(fetchMs / 1000).toFixed(1)} s for the response` })
      },
    }
  },
}
