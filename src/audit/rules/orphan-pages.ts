import type { Rule } from '../rule.ts'

export const orphanPages: Rule = {
  name: 'orphan-pages',
  title: 'Orphan pages',
  severity: 'warning',
  why: 'A page in the sitemap that no page links to is hard to reach, and search engines value it less.',
  fix: 'Link to the page from others, or remove it from the sitemap.',
  needs: 'sitemap',
  start({ urls, add }) {
    return {
      report({ id, url, title }, index) {
        if (!urls.isComplete || !urls.has(index, 'listed') || !urls.has(index, 'page')) return
        if (urls.has(index, 'seed') || urls.inlinks(index) > 0) return
        add({ urlId: id, url, text: title, detail: 'In a sitemap, but not linked' })
      },
      skipReason() {
        if (!urls.isAnyListed) return 'no_sitemap'
        return urls.isComplete ? null : 'crawl_incomplete'
      },
    }
  },
}
