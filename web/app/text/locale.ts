// The locale of the app. Its texts are English; dates are day first and times use 24 hours, as in the logs.

export const LOCALE = 'en-GB'

/**
 * Some browsers report a language that is not a valid tag, such as en-US@posix under LANG=C. Intl throws on it, and
 * uPlot passes it to Intl on import. This replaces an invalid language by the locale of the app.
 */
export function ensureValidLocale(navigator: Navigator): void {
  try {
    Intl.getCanonicalLocales(navigator.language)
  } catch {
    Object.defineProperty(navigator, 'language', { value: LOCALE, configurable: true })
  }
}
