import type { Rule } from '../rule.ts'

const MAX_SHOWN = 3

export const severalH1: Rule = {
  name: 'several-h1',
  title: 'Pages with several h1',
  severity: 'notice',
  why: 'With several main headings, screen readers and search engines cannot tell which one names the page.',
  fix: 'Keep one h1, and mark up the others as h2 or lower.',
  needs: 'archive',
  start({ urls, add }) {
    return {
      page({ index, version: { url }, facts: { headings } }) {
        if (headings.length < 2 || !urls.isIndexable(index)) return
        const shown = headings.slice(0, MAX_SHOWN).join(' / ')
        add({ urlId: urls.idOf(index), url, text: shown, detail: `${headings.length} h1 elements` })
      },
    }
  },
}
