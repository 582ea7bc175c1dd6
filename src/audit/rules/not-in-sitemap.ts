import type { Rule } from '../rule.ts'

export const notInSitemap: Rule = {
  name: 'not-in-sitemap',
  title: 'Pages missing from the sitemap',
  severity: 'notice',
  why: 'Search engines find pages of the sitemap sooner, and learn from it when they change.',
  fix: 'Add the page to the sitemap.',
  needs: 'sitemap',
  start({ urls, add }) {
    return {
      report({ id, url, title }, index) {
        if (urls.has(index, 'listed') || !urls.isIndexable(index) || !urls.isHostListed(index)) return
        add({ urlId: id, url, text: title, detail: 'Linked, but in no sitemap' })
      },
      skipReason: () => (urls.isAnyListed ? null : 'no_sitemap'),
    }
  },
}
