import { REQUEST_SETTINGS } from '../../config/command-settings.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { EXIT } from '../../lib/errors.ts'
import { pluralize, sanitizeText } from '../format/units.ts'
import type { Command } from '../io.ts'
import { requireUrl } from '../required-arguments.ts'
import { type RenderedResponse, renderPage } from '../single-page/render-page.ts'

export const render: Command = {
  usage: '<url>',
  help: 'Print the HTML of a page after its scripts have run. The browser has no network access of its own.',
  maxArguments: 1,
  localReason: 'it opens the page in a browser of this machine.',
  settings: ['config', 'browser', ...REQUEST_SETTINGS, 'maxBody', 'json'],
  async run(config, args, io) {
    const page = await renderPage(requireUrl(args, 'render', io), config, io)
    io.stdout.write(config.json ? jsonLine(toJson(page)) : `${page.html ?? page.plainHtml}\n`)
    if (!config.json) io.stderr.write(`${summaryOf(page)}\n`)
    return page.outcome === 'rendered' ? EXIT.completed : EXIT.failed
  },
}

function toJson(page: RenderedResponse) {
  const { outcome, status, evidence, html, finalUrl, routes, navigations, subrequests, cpuMs } = page
  const requests = subrequests.map(({ blockedReason, isFromCache: _, method: __, ...request }) => ({
    ...request,
    blocked: blockedReason,
  }))
  return {
    outcome,
    evidence,
    http_status: status,
    url: finalUrl,
    html,
    routes,
    navigations,
    requests,
    cpu_ms: Math.round(cpuMs),
  }
}

function summaryOf({ outcome, evidence, subrequests, finalUrl, status }: RenderedResponse): string {
  const requests = pluralize(subrequests.filter(({ status }) => status !== null).length, 'request')
  if (outcome === 'rendered') return `Rendered ${sanitizeText(finalUrl)} (HTTP ${status}) with ${requests}.`
  const reason = evidence === null ? '' : ` (${sanitizeText(evidence)})`
  return `Not rendered: ${outcome.replaceAll('_', ' ')}${reason}. The HTML is as it was by then.`
}
