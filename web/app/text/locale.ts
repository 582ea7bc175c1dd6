// The one locale of the app, whose texts are English. Dates are day first and times have 24 hours, as in the logs.

export const LOCALE = 'en-GB'

/**
 * Some browsers name a language that is no language tag, such as en-US@posix under LANG=C. Whatever hands that to Intl
 * throws, and the library of the charts does so while it is loaded; those browsers then say what the app uses.
 */
export function ensureValidLocale(navigator: Navigator): void {
  try {
    Intl.getCanonicalLocales(navigator.language)
  } catch {
    Object.defineProperty(navigator, 'language', { value: LOCALE, configurable: true })
  }
}
