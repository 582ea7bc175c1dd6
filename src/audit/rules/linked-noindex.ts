import type { Rule } from '../rule.ts'

export const linkedNoindex: Rule = {
  name: 'linked-noindex',
  title: 'Linked pages with noindex',
  severity: 'notice',
  why: 'The page is linked, but search engines must not show it, and follow its links less over time.',
  fix: 'Remove noindex if the page should be found; otherwise there is nothing to do.',
  needs: null,
  start({ urls, add }) {
    return {
      report({ id, url, title }, index) {
        if (!urls.has(index, 'page') || !urls.has(index, 'noindex')) return
        const links = urls.inlinks(index)
        const isListed = urls.has(index, 'listed')
        if (links === 0 && !isListed) return
        const linked = `Linked from ${links === 1 ? '1 URL' : `${links} URLs`}`
        add({ urlId: id, url, text: title, detail: isListed ? `${linked}, and listed in a sitemap` : linked })
      },
    }
  },
}
