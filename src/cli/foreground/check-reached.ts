// A crawl that reached no host completes, but must not look successful to a script.

import { AppError } from '../../lib/errors.ts'
import { type Ledger, ledgerTotal } from '../../lib/states.ts'
import { pluralize, sanitizeText } from '../format/units.ts'

/** Reasons of excluded URLs whose host was not reached. A host that responds with an HTTP error was reached. */
const UNREACHED_REASON = /^(address_blocked|port_blocked|robots_unreachable: (?!http_))/

const ADVICE: Record<string, string> = {
  address_blocked: 'Addresses that are not public need --allow-private.',
  port_blocked: 'The port belongs to another service, such as mail, and is never requested.',
}
const DEFAULT_ADVICE = 'Check the address, and whether this machine can reach it.'

export function checkReached(ledger: Ledger, reasons: Record<string, number>): void {
  const { visited, redirected, forbidden, not_found, http_error, failed } = ledger
  if (visited + redirected + forbidden + not_found + http_error > 0) return
  const labels = Object.keys(reasons).map((reason) => sanitizeText(reason).replaceAll('_', ' '))
  if (failed === 0 && !Object.keys(reasons).some((reason) => UNREACHED_REASON.test(reason))) return
  const advice = Object.keys(reasons).flatMap((reason) => ADVICE[reason] ?? [])[0] ?? DEFAULT_ADVICE
  const urls = pluralize(ledgerTotal(ledger), 'URL')
  throw new AppError('NOTHING_REACHED', `Nothing could be reached (${urls}: ${labels.join(', ')}). ${advice}`)
}
