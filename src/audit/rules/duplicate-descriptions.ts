import { Duplicates } from '../duplicates.ts'
import type { Rule } from '../rule.ts'

export const duplicateDescriptions: Rule = {
  name: 'duplicate-descriptions',
  title: 'Duplicate descriptions',
  severity: 'notice',
  why: 'A description that many pages share says nothing about any of them.',
  fix: 'Write a description for each page, or leave it out.',
  needs: 'archive',
  start({ urls, add }) {
    const descriptions = new Duplicates()
    const textOf = (text: string | null, index: number) => (urls.isIndexable(index) ? (text?.trim() ?? '') : '')
    return {
      version({ description }, index) {
        const text = textOf(description, index)
        if (text !== '') descriptions.add(text)
      },
      page({ index, version: { url, description } }) {
        const text = textOf(description, index)
        const urlId = urls.idOf(index)
        const first = text === '' ? null : descriptions.findFirst(text, { urlId, url })
        if (first === null) return
        add({ urlId, url, otherUrlId: first.urlId, otherUrl: first.url, text, detail: 'Same description' })
      },
    }
  },
}
