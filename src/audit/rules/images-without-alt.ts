import type { Rule } from '../rule.ts'

const MAX_SHOWN = 3

export const imagesWithoutAlt: Rule = {
  name: 'images-without-alt',
  title: 'Images without alternative text',
  severity: 'warning',
  why: 'Screen readers and search engines know an image only by its alternative text.',
  fix: 'Describe the image in its alt attribute, or set alt="" if it is decorative.',
  needs: 'archive',
  start({ urls, add }) {
    return {
      page({ index, version: { url }, facts: { images, imagesWithoutAlt: missing } }) {
        if (missing.length === 0) return
        const shown = missing.slice(0, MAX_SHOWN).map((src) => (src.startsWith('data:') ? 'data:…' : src))
        const detail = `${missing.length} of ${images} ${images === 1 ? 'image' : 'images'}`
        add({ urlId: urls.idOf(index), url, text: shown.join(', '), detail })
      },
    }
  },
}
