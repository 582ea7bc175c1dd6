import { normaliseUrl } from '../../engine/url/normalise-url.ts'
import { AppError } from '../../lib/errors.ts'

/** The URL of a page as crawls store it. */
export function parsePageUrl(text: string): string {
  const target = normaliseUrl(text)
  if ('problem' in target) throw new AppError('BAD_SEED', `"${text}" is not an http or https URL.`)
  return target.url
}
