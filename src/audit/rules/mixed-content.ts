import type { Rule } from '../rule.ts'

const UPGRADES = /\bupgrade-insecure-requests\b/i
const MAX_SHOWN = 3

export const mixedContent: Rule = {
  name: 'mixed-content',
  title: 'Mixed content',
  severity: 'error',
  why: 'Browsers block or warn about what an HTTPS page loads over HTTP.',
  fix: 'Load it over HTTPS.',
  needs: 'archive',
  start({ urls, add }) {
    return {
      page({ index, version: { url }, facts: { insecure, headers, metaPolicy } }) {
        if (insecure.length === 0) return
        // Browsers then request all of it over HTTPS.
        if (UPGRADES.test(metaPolicy) || UPGRADES.test(headers?.get('content-security-policy') ?? '')) return
        const more = insecure.length > MAX_SHOWN ? ', …' : ''
        const detail = `Over HTTP: ${insecure.slice(0, MAX_SHOWN).join(', ')}${more}`
        add({ urlId: urls.idOf(index), url, detail })
      },
    }
  },
}
