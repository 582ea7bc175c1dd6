import { jsonLine } from '../../engine/export/jsonl.ts'
import { explainRobots, type RobotsExplanation } from '../../engine/robots/explain-robots.ts'
import { normaliseUrl } from '../../engine/url/normalise-url.ts'
import { systemClock } from '../../lib/clock.ts'
import { AppError, EXIT } from '../../lib/errors.ts'
import { sanitizeText } from '../format/units.ts'
import type { Command } from '../io.ts'
import { requireUrl } from '../required-arguments.ts'

export const robots: Command = {
  usage: '<url>',
  help: 'Ask a host for its robots.txt and explain what it says about a url; exit code 1 when it may not be visited.',
  maxArguments: 1,
  settings: ['config', 'userAgent', 'header', 'timeout', 'allowPrivate', 'allow', 'insecure', 'json'],
  async run(config, args, io) {
    const text = requireUrl(args, 'robots', io)
    const target = normaliseUrl(text)
    if ('problem' in target) throw new AppError('BAD_SEED', `"${text}" is not an http or https url.`)
    const fetcher = await io.openFetcher(config, [target.url])
    try {
      const answer = await explainRobots(target.url, config.userAgent, { fetcher, clock: systemClock })
      io.stdout.write(config.json ? jsonLine(answer) : `${linesOf(answer).join('\n')}\n`)
      return answer.allowed ? EXIT.completed : EXIT.failed
    } finally {
      await fetcher.close()
    }
  },
}

function linesOf(answer: RobotsExplanation): string[] {
  const lines = [
    `${answer.allowed ? 'Allowed' : 'Not allowed'}: ${sanitizeText(answer.url)}`,
    `  because   ${sanitizeText(answer.because)}`,
  ]
  if (answer.rule !== null) lines.push(`  line ${String(answer.rule.line).padEnd(4)} ${sanitizeText(answer.rule.text)}`)
  if (answer.group !== null) lines.push(`  group     ${sanitizeText(answer.group)}`)
  if (answer.crawl_delay_ms !== null) lines.push(`  delay     ${answer.crawl_delay_ms / 1000} s between requests`)
  lines.push(`  file      ${sanitizeText(answer.file)} (${sanitizeText(answer.answer)})`)
  if (answer.answer === 'address_blocked') lines.push('  Addresses that are not public need --allow-private.')
  for (const sitemap of answer.sitemaps) lines.push(`  sitemap   ${sanitizeText(sitemap)}`)
  return lines
}
