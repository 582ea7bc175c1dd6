import type { Rule } from '../rule.ts'

export const missingDescriptions: Rule = {
  name: 'missing-descriptions',
  title: 'Missing descriptions',
  severity: 'notice',
  why: 'Without a description, search engines choose a piece of the page to show below its title.',
  fix: 'Add a meta description that says what the page offers.',
  needs: 'archive',
  start({ urls, add }) {
    return {
      version({ url, description }, index) {
        const isMissing = description === null || description.trim() === ''
        if (isMissing && urls.isIndexable(index)) add({ urlId: urls.idOf(index), url, detail: 'No description' })
      },
    }
  },
}
