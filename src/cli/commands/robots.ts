import { REQUEST_SETTINGS } from '../../config/command-settings.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import type { RobotsExplanation } from '../../engine/robots/explain-robots.ts'
import { EXIT } from '../../lib/errors.ts'
import { readableCode, sanitizeText } from '../format/units.ts'
import type { Command } from '../io.ts'
import { requireUrl } from '../required-arguments.ts'
import { checkRobots } from '../single-page/check-robots.ts'

export const robots: Command = {
  usage: '<url>',
  help: 'Fetch a robots.txt and explain what it says about a URL. Exit code 1 if the URL is disallowed.',
  maxArguments: 1,
  localReason: 'it fetches robots.txt from this machine.',
  settings: ['config', ...REQUEST_SETTINGS, 'json'],
  async run(config, args, io) {
    const explanation = await checkRobots(requireUrl(args, 'robots', io), config, io)
    io.stdout.write(config.json ? jsonLine(explanation) : `${explanationLines(explanation).join('\n')}\n`)
    return explanation.allowed ? EXIT.completed : EXIT.failed
  },
}

function explanationLines(explanation: RobotsExplanation): string[] {
  const lines = [
    `${explanation.allowed ? 'Allowed' : 'Disallowed'}: ${sanitizeText(explanation.url)}`,
    `  because   ${sanitizeText(explanation.because)}`,
  ]
  const { rule, group, crawl_delay_ms: delayMs, file, answer, sitemaps } = explanation
  if (rule !== null) lines.push(`  line ${String(rule.line).padEnd(4)} ${sanitizeText(rule.text)}`)
  if (group !== null) lines.push(`  group     ${sanitizeText(group)}`)
  if (delayMs !== null) lines.push(`  delay     ${delayMs / 1000} s between requests`)
  lines.push(`  file      ${sanitizeText(file)} (${readableCode(answer)})`)
  if (answer === 'address_blocked') lines.push('  Addresses that are not public need --allow-private.')
  for (const sitemap of sitemaps) lines.push(`  sitemap   ${sanitizeText(sitemap)}`)
  return lines
}
