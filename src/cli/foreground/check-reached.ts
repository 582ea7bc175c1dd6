// A crawl that visited no page completes, but must not look successful to a script.

import { AppError } from '../../lib/errors.ts'
import { type Ledger, ledgerTotal } from '../../lib/states.ts'
import { HOOK_PROBLEMS, HOOK_REFUSED } from '../../ports/hooks.ts'
import { pluralize, readableCode } from '../format/units.ts'
import type { CrawlSnapshot } from '../live/crawl-snapshot.ts'
import { DONE_ORDER } from '../live/state-styles.ts'

/** Reasons of excluded URLs whose host was not reached. A host that responds with an HTTP error was reached. */
const UNREACHED_REASON = /^(address_blocked|port_blocked|robots_unreachable: (?!http_))/

const HOOK_REASONS: readonly string[] = [...HOOK_PROBLEMS, HOOK_REFUSED]

const ADVICE: Record<string, string> = {
  address_blocked: 'Addresses that are not public need --allow-private.',
  port_blocked: 'The port belongs to another service, such as mail, and is never requested.',
}
/** Certificate problems, which also occur as the reason of an unreachable robots.txt. */
const CERTIFICATE_REASON = /(^|: )tls_(expired|wrong_host|untrusted)$/
const CERTIFICATE_ADVICE = 'To crawl it anyway, use --insecure.'
const ISSUER_ADVICE =
  'To crawl it anyway, set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of its issuer, or use --insecure.'
const HOOK_ADVICE = 'The log says why hooks failed.'
const DEFAULT_ADVICE = 'Check the address, and whether this machine can reach it; it may need --proxy.'

/** A recrawled crawl that waits although its addresses are blocked, which no later visit changes. */
export async function waitsInVain(
  { status, ledger }: CrawlSnapshot,
  readReasons: () => Promise<Record<string, number>>,
): Promise<boolean> {
  if (status !== 'watching' || reachedUrls(ledger) + ledger.failed > 0) return false
  return Object.keys(await readReasons()).some((reason) => Object.hasOwn(ADVICE, reason))
}

function reachedUrls({ visited, redirected, forbidden, not_found, http_error }: Ledger): number {
  return visited + redirected + forbidden + not_found + http_error
}

/** Limit of listed reasons, the most common first. */
const MAX_NAMED = 5

/** @param nameFlag How the caller's users write a flag that an advice names. */
export function checkReached(
  ledger: Ledger,
  reasons: Record<string, number>,
  nameFlag = (flag: string): string => flag,
): void {
  const { visited, redirected, failed } = ledger
  const responses = reachedUrls(ledger)
  if (visited > 0 || (responses > 0 && responses === redirected && failed === 0)) return
  const names = Object.keys(reasons)
  const shown = names.length > 0 ? names.slice(0, MAX_NAMED) : DONE_ORDER.filter((state) => ledger[state] > 0)
  const more = names.length > MAX_NAMED ? [`${names.length - MAX_NAMED} more`] : []
  const why = [...shown.map(readableCode), ...more].join(', ')
  const urls = pluralize(ledgerTotal(ledger), 'URL')
  if (responses > 0) {
    throw new AppError('NOTHING_REACHED', `No page could be visited (${urls}: ${why}). Check the start URL.`)
  }
  if (failed > 0 && names.length > 0 && names.every((reason) => HOOK_REASONS.includes(reason)))
    throw new AppError('NOTHING_REACHED', `No page could be visited (${urls}: ${why}). ${HOOK_ADVICE}`)
  if (failed === 0 && !names.some((reason) => UNREACHED_REASON.test(reason))) return
  const advice = names.map(adviceFor).find((text) => text !== undefined) ?? DEFAULT_ADVICE
  const named = advice.replace(/--[a-z-]+/, nameFlag)
  throw new AppError('NOTHING_REACHED', `Nothing could be reached (${urls}: ${why}). ${named}`)
}

function adviceFor(reason: string): string | undefined {
  if (reason.endsWith('tls_untrusted')) return ISSUER_ADVICE
  return CERTIFICATE_REASON.test(reason) ? CERTIFICATE_ADVICE : ADVICE[reason]
}
