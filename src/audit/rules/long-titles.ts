import type { Rule } from '../rule.ts'
import { describeTooWide } from '../text-width.ts'

/** Search engines show titles in a font of 20 pixels, and cut them at about 600 pixels. */
const FONT_PIXELS = 20
const MAX_PIXELS = 600

export const longTitles: Rule = {
  name: 'long-titles',
  title: 'Long titles',
  severity: 'notice',
  why: 'Search engines cut titles that are wider than about 600 pixels, or 60 characters.',
  fix: 'Shorten the title, or put the important words first.',
  needs: null,
  start({ urls, add }) {
    return {
      report({ id, url, title }, index) {
        const text = title?.trim() ?? ''
        if (!urls.isIndexable(index) || text === '') return
        const detail = describeTooWide(text, FONT_PIXELS, MAX_PIXELS)
        if (detail !== null) add({ urlId: id, url, text, detail })
      },
    }
  },
}
