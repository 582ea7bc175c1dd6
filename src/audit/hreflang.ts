// The versions of a page for other languages, as it names them with hreflang. A code is a language of ISO 639-1, with a
// script of ISO 15924 or a region of ISO 3166-1 if needed.

import type { Alternate } from './page-facts.ts'

const CODE = /^([a-z]{2})(?:-([a-z]{4}))?(?:-([a-z]{2}|419))?$/i
const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const scripts = new Intl.DisplayNames('en', { type: 'script', fallback: 'none' })
/** Intl has names for these codes, but they are not (or no longer) codes of countries. */
const NO_REGIONS = new Set(['UK', 'EU', 'EZ', 'UN', 'XA', 'XB', 'ZZ', 'SU', 'DD', 'YU', 'AN', 'FX', 'ZR', 'TP', 'BU'])

export function isValidHreflang(code: string): boolean {
  if (code.toLowerCase() === 'x-default') return true
  const [, language = '', script, region] = CODE.exec(code) ?? []
  if (language === '' || languages.of(language.toLowerCase()) === undefined) return false
  if (script !== undefined && scripts.of(titleCase(script)) === undefined) return false
  if (region === undefined) return true
  const upper = region.toUpperCase()
  return !NO_REGIONS.has(upper) && regions.of(upper) !== undefined
}

function titleCase(script: string): string {
  return script.slice(0, 1).toUpperCase() + script.slice(1).toLowerCase()
}

/** Errors in the set of versions that a page names, without looking at these versions. */
export function findSetErrors(
  url: string,
  alternates: readonly Alternate[],
): { detail: string; otherUrl: string | null }[] {
  const errors: { detail: string; otherUrl: string | null }[] = []
  const byLang = new Map<string, Set<string>>()
  for (const { lang, href, url: target } of alternates) {
    if (!isValidHreflang(lang)) errors.push({ detail: `"${lang}" is not a language code`, otherUrl: target })
    if (target === null) errors.push({ detail: `The address for ${lang} is not valid: ${href}`, otherUrl: null })
    else byLang.set(lang.toLowerCase(), (byLang.get(lang.toLowerCase()) ?? new Set()).add(target))
  }
  for (const [lang, targets] of byLang) {
    if (targets.size > 1) errors.push({ detail: `${lang} has ${targets.size} different URLs`, otherUrl: null })
  }
  if (!alternates.some((alternate) => alternate.url === url)) {
    errors.push({ detail: 'The page does not name itself', otherUrl: null })
  }
  return errors
}
