// Audits a crawl, in the store or, with --server, on a running server.

import type { ClientResponse } from '../../api/client.ts'
import { type BudgetLimit, checkRule, findExceeded, parseBudget } from '../../audit/budget.ts'
import type { Config } from '../../config/schema.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { AppError, EXIT } from '../../lib/errors.ts'
import type { SkipReason } from '../../ports/audits.ts'
import { type AuditClient, withAuditClient } from '../audits/audit-client.ts'
import { type AuditResponse, awaitAudit } from '../audits/await-audit.ts'
import { refuseExistingFile, writeChunks } from '../files/write-chunks.ts'
import { formatCommand } from '../format/format-command.ts'
import { outputWidth, type TableColumn, tableLines } from '../format/table.ts'
import { groupDigits, pluralize, sanitizeText, truncate } from '../format/units.ts'
import type { Command, Io } from '../io.ts'
import { requireCrawlId } from '../required-arguments.ts'

type Rule = AuditResponse['rules'][number]
type Finding = ClientResponse<'listAuditFindings'>['items'][number]

export const audit: Command = {
  usage: '<id> [<rule>]',
  help: `Find what is wrong with a site, such as broken links. Exit code ${EXIT.overBudget} if a rule in --fail-on fails.`,
  maxArguments: 2,
  settings: [
    ...(['data', 'store', 'config', 'server', 'token', 'archiveStore', 'healthSecret'] as const),
    ...(['last', 'failOn', 'limit', 'json', 'quiet', 'out', 'force'] as const),
  ],
  async run(config, args, io) {
    const prefix = requireCrawlId(args, config, io)
    const [, rule = null] = args
    if (rule !== null) checkRule(rule)
    const budget = parseBudget(config.failOn)
    if (config.out !== null && !config.force) await refuseExistingFile(config.out)
    return withAuditClient(config, io, async (client) => {
      const crawlId = await client.findCrawlId(prefix)
      const report = config.last
        ? await readLast(client, crawlId)
        : await awaitAudit(client, crawlId, { io, isQuiet: config.quiet })
      if (report === null) return EXIT.interrupted
      await printReport(client, report, { config, io, rule })
      return checkBudget(budget, report, { config, io })
    })
  },
}

interface PrintContext {
  config: Config
  io: Io
  rule: string | null
}

async function readLast(client: AuditClient, crawlId: string): Promise<AuditResponse> {
  const report = await client.getAudit({ params: { crawl_id: crawlId } })
  if (report.finished_at !== null) return report
  throw new AppError('AUDIT_NOT_FOUND', `Crawl ${crawlId} has no finished audit. Omit --last to run one.`)
}

async function printReport(client: AuditClient, report: AuditResponse, context: PrintContext): Promise<void> {
  const { config, io, rule } = context
  const { crawl_id: crawlId } = report
  if (config.out !== null) {
    await writeChunks(client.exportCsv(crawlId, rule), config.out)
    if (!config.quiet) io.stderr.write(`Wrote the findings to ${sanitizeText(config.out)}\n`)
  } else if (config.quiet && !config.json) return
  else if (rule !== null) await printFindings(client, report, { ...context, rule })
  else if (config.json) for (const item of report.rules) io.stdout.write(jsonLine(item))
  else printRules(report, context)
}

function printRules(report: AuditResponse, { config, io }: PrintContext): void {
  const { crawl_id: crawlId, rules, urls, pages, unread_pages: unread } = report
  const found = rules.filter(({ count }) => count !== null && count > 0)
  const unreadText = unread === 0 ? '' : `, ${groupDigits(unread)} could not be read`
  const lines = [`${pluralize(urls, 'URL')}, ${pluralize(pages, 'archived page')} examined${unreadText}.`]
  const openText = openUrlsText(report, config.last)
  if (openText !== null) lines.push(openText)
  if (found.length > 0) lines.push('', ...tableLines(RULE_COLUMNS, found, outputWidth(io.stdout)), '')
  const [first] = found
  const passed = rules.filter(({ count }) => count === 0).length
  lines.push(`${pluralize(passed, 'rule')} without findings.`)
  const unchecked = rules.filter(({ count }) => count === null)
  for (const [reason, skipped] of Map.groupBy(unchecked, (item) => item.skipped))
    lines.push(`${skipText(reason)} Not checked: ${skipped.map((item) => item.rule).join(', ')}.`)
  if (first !== undefined) {
    lines.push(
      `List the findings of a rule with: ${formatCommand(io.program, `audit ${crawlId.slice(0, 8)} ${first.rule} --last`, config)}`,
    )
  }
  io.stdout.write(`${lines.join('\n')}\n`)
}

async function printFindings(
  client: AuditClient,
  { crawl_id: crawlId, rules }: AuditResponse,
  { config, io, rule }: PrintContext & { rule: string },
): Promise<void> {
  const params = { crawl_id: crawlId }
  const unchecked = rules.find((item) => item.rule === rule && item.count === null)
  if (unchecked !== undefined) {
    if (!config.json) io.stdout.write(`Not checked: ${skipText(unchecked.skipped)}\n`)
    return
  }
  let cursor: string | null = null
  do {
    const limit = config.json ? 1000 : config.limit
    const query = { rule, limit, ...(cursor === null ? {} : { cursor }) }
    const page: ClientResponse<'listAuditFindings'> = await client.listAuditFindings({ params, query })
    if (config.json) for (const finding of page.items) io.stdout.write(jsonLine(finding))
    else return printTable(page, { config, io, rule })
    cursor = page.next_cursor
  } while (cursor !== null)
}

function printTable({ items, total }: ClientResponse<'listAuditFindings'>, { io }: PrintContext): void {
  const lines = items.length === 0 ? ['No findings.'] : tableLines(FINDING_COLUMNS, items, outputWidth(io.stdout))
  const more = (total ?? 0) - items.length
  if (more > 0) lines.push(`${groupDigits(more)} more. Show up to 100 with --limit, or write all to a file with --out.`)
  io.stdout.write(`${lines.join('\n')}\n`)
}

/** Null if the crawl had visited all its URLs when it was audited. */
function openUrlsText({ open_urls: openUrls, crawl_status: status }: AuditResponse, isLast: boolean): string | null {
  if (openUrls === 0) return null
  const state = status === 'paused' ? 'paused' : 'still running'
  const when = isLast ? `was ${state} when it was audited` : `is ${state}`
  return `The crawl ${when}: ${pluralize(openUrls, 'URL')} not visited yet.`
}

function checkBudget(
  budget: readonly BudgetLimit[],
  report: AuditResponse,
  { config, io }: Omit<PrintContext, 'rule'>,
): number {
  const { rules } = report
  const openText = openUrlsText(report, config.last)
  if (budget.length > 0 && openText !== null) {
    io.stderr.write(`--fail-on: ${openText}\n`)
    return EXIT.overBudget
  }
  const counts = rules.map(({ rule, count }) => ({ name: rule, count }))
  const exceeded = findExceeded(budget, counts)
  for (const { rule, max } of exceeded) {
    const count = counts.find(({ name }) => name === rule)?.count ?? null
    const found = count === null ? 'could not be checked' : `${pluralize(count, 'finding')}, at most ${max} accepted`
    io.stderr.write(`${rule}: ${found}.\n`)
  }
  return exceeded.length === 0 ? EXIT.completed : EXIT.overBudget
}

function skipText(reason: SkipReason | null): string {
  return reason === null ? 'The rule is newer than the audit.' : SKIP_TEXTS[reason]
}

const SKIP_TEXTS: Record<SkipReason, string> = {
  nothing_visited: 'The crawl visited no page.',
  no_archive: 'The crawl archived no pages.',
  no_sitemap: 'The crawl read no sitemap.',
  no_earlier_crawl: 'There is no earlier crawl with the same start URLs.',
  crawl_incomplete: 'The crawl did not visit all pages.',
}

const RULE_COLUMNS: TableColumn<Rule>[] = [
  { title: 'severity', align: 'left', value: ({ severity }) => severity },
  { title: 'rule', align: 'left', value: ({ rule }) => rule },
  { title: 'findings', align: 'right', value: ({ count }) => groupDigits(count ?? 0) },
  { title: 'what to do', align: 'left', value: ({ fix }) => fix, isFlexible: true, dropAs: 1 },
]

const SHORT_TEXT_WIDTH = 40

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '')
}

const FINDING_COLUMNS: TableColumn<Finding>[] = [
  { title: 'URL', align: 'left', value: ({ url }) => url, short: ({ url }) => withoutScheme(url), isFlexible: 'url' },
  {
    title: 'other URL',
    align: 'left',
    value: (finding) => finding.other_url ?? '',
    short: (finding) => withoutScheme(finding.other_url ?? ''),
    isFlexible: 'url',
  },
  {
    title: 'text',
    align: 'left',
    value: ({ text }) => text ?? '',
    short: ({ text }) => truncate(text ?? '', SHORT_TEXT_WIDTH),
    dropAs: 1,
  },
  { title: 'detail', align: 'left', value: ({ detail }) => detail },
]
