import { Duplicates } from '../duplicates.ts'
import type { Rule } from '../rule.ts'

export const duplicateTitles: Rule = {
  name: 'duplicate-titles',
  title: 'Duplicate titles',
  severity: 'warning',
  why: 'Pages with the same title cannot be told apart in search results and tabs.',
  fix: 'Give each page a title of its own.',
  needs: null,
  start({ urls, add }) {
    const titles = new Duplicates()
    const titleOf = (title: string | null, index: number) => (urls.isIndexable(index) ? (title?.trim() ?? '') : '')
    return {
      url(row, index) {
        const title = titleOf(row.title, index)
        if (title !== '') titles.add(title)
      },
      report(row, index) {
        const { id, url } = row
        const title = titleOf(row.title, index)
        const first = title === '' ? null : titles.findFirst(title, { urlId: id, url })
        if (first === null) return
        add({ urlId: id, url, otherUrlId: first.urlId, otherUrl: first.url, text: title, detail: 'Same title' })
      },
    }
  },
}
