import { jsonLine } from '../../engine/export/jsonl.ts'
import { explainRobots, type RobotsExplained } from '../../engine/robots/explain.ts'
import { normaliseUrl } from '../../engine/url/normalise.ts'
import { systemClock } from '../../lib/clock.ts'
import { AppError, EXIT } from '../../lib/errors.ts'
import type { Command } from '../io.ts'
import { clean } from '../live/units.ts'
import { requiredUrl } from '../required.ts'

export const robots: Command = {
  usage: '<url>',
  help: 'Ask a host for its robots.txt and explain what it says about a url; exit code 1 when it may not be visited.',
  maxArguments: 1,
  settings: ['config', 'userAgent', 'header', 'timeout', 'allowPrivate', 'allow', 'insecure', 'json'],
  async run(config, args, io) {
    const text = requiredUrl(args, 'robots', io)
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

function linesOf(answer: RobotsExplained): string[] {
  const lines = [
    `${answer.allowed ? 'Allowed' : 'Not allowed'}: ${clean(answer.url)}`,
    `  because   ${clean(answer.because)}`,
  ]
  if (answer.rule !== null) lines.push(`  line ${String(answer.rule.line).padEnd(4)} ${clean(answer.rule.text)}`)
  if (answer.group !== null) lines.push(`  group     ${clean(answer.group)}`)
  if (answer.crawl_delay_ms !== null) lines.push(`  delay     ${answer.crawl_delay_ms / 1000} s between requests`)
  lines.push(`  file      ${clean(answer.file)} (${clean(answer.answer)})`)
  if (answer.answer === 'address_blocked') lines.push('  Addresses that are not public need --allow-private.')
  for (const sitemap of answer.sitemaps) lines.push(`  sitemap   ${clean(sitemap)}`)
  return lines
}
