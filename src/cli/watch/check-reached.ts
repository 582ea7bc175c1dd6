// A crawl that nobody answered has completed, but it is not what anybody wanted: scripts are told so.

import { AppError } from '../../lib/errors.ts'
import { type Ledger, ledgerTotal } from '../../ports/state.ts'
import { pluralize, sanitizeText } from '../format/units.ts'

/** Reasons of an excluded url whose host could not be reached; one that answers with an error was. */
const UNREACHED = /^(address_blocked|port_blocked|robots_unreachable: (?!http_))/

const ADVICE: Record<string, string> = {
  address_blocked: 'Addresses that are not public need --allow-private.',
  port_blocked: 'The port belongs to another service than the web, such as mail; it is never asked.',
}
const ADVICE_ON_ALL = 'Check the address, and whether this machine can reach it.'

export function checkReached(ledger: Ledger, reasons: Record<string, number>): void {
  const { visited, redirected, forbidden, not_found, http_error, failed } = ledger
  if (visited + redirected + forbidden + not_found + http_error > 0) return
  const named = Object.keys(reasons).map((reason) => sanitizeText(reason).replaceAll('_', ' '))
  if (failed === 0 && !Object.keys(reasons).some((reason) => UNREACHED.test(reason))) return
  const advice = Object.keys(reasons).flatMap((reason) => ADVICE[reason] ?? [])[0] ?? ADVICE_ON_ALL
  const urls = pluralize(ledgerTotal(ledger), 'url')
  throw new AppError('NOTHING_REACHED', `Nothing could be reached (${urls}: ${named.join(', ')}). ${advice}`)
}
