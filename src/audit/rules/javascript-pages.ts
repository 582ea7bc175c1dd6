import type { Rule } from '../rule.ts'

export const javascriptPages: Rule = {
  name: 'javascript-pages',
  title: 'Pages that need JavaScript',
  severity: 'notice',
  why: 'Many crawlers and AI assistants do not run scripts, and see an empty or incomplete page.',
  fix: 'Render the page on the server, or crawl the site with --render to audit what visitors see.',
  needs: 'archive',
  start({ urls, add }) {
    return {
      page({ index, version: { url, title }, facts: { needsJavaScript } }) {
        if (!needsJavaScript || !urls.has(index, 'page')) return
        add({ urlId: urls.idOf(index), url, text: title, detail: 'Little or no text without JavaScript' })
      },
    }
  },
}
