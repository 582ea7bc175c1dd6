import type { Rule } from '../rule.ts'
import { describeTooWide } from '../text-width.ts'

/** Search engines show descriptions in a font of 14 pixels, and cut them at about 990 pixels. */
const FONT_PIXELS = 14
const MAX_PIXELS = 990

export const longDescriptions: Rule = {
  name: 'long-descriptions',
  title: 'Long descriptions',
  severity: 'notice',
  why: 'Search engines cut descriptions that are wider than about 990 pixels, or 160 characters.',
  fix: 'Shorten the description, or put the important words first.',
  needs: 'archive',
  start({ urls, add }) {
    return {
      version({ url, description }, index) {
        const text = description?.trim() ?? ''
        if (!urls.isIndexable(index) || text === '') return
        const detail = describeTooWide(text, FONT_PIXELS, MAX_PIXELS)
        if (detail !== null) add({ urlId: urls.idOf(index), url, text, detail })
      },
    }
  },
}
