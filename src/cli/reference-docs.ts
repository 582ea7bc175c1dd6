// The reference pages that are made from code: `npm run docs` writes them, a test keeps them equal.

import { writeFileSync } from 'node:fs'
import { envOf, fileKeyOf, flagOf, SCHEMA, SETTING_NAMES, type SettingName } from '../config/schema.ts'
import { MAX_PATTERN_LENGTH, MAX_WEIGHT } from '../config/values/pattern-syntax.ts'
import { MAX_PATTERNS } from '../config/values/translate-patterns.ts'
import { FETCH_PROBLEMS, type FetchProblem } from '../engine/fetch/fetch-result.ts'
import { ERRORS } from '../lib/errors.ts'
import { loadCommands } from './commands.ts'
import type { Command } from './io.ts'

export const REFERENCE_PAGES: Record<string, () => string | Promise<string>> = {
  'docs/reference/configuration.md': configurationPage,
  'docs/reference/errors.md': errorsPage,
}

async function configurationPage(): Promise<string> {
  const commands = await loadCommands()
  const rows = SETTING_NAMES.map((name) => settingRow(name, commands))
  return `# Configuration

Every setting can be given on the command line, in the environment, or in a JSON file named with \`--config\`; the first of these that has it wins. A bad or unknown value stops the program before anything is changed, with every bad field named. A setting that may be repeated stands once per line in the environment, and as an array in a file.

A crawl keeps the settings it was started with; \`resume\` uses them again. \`--threads\`, \`--seen-urls\`, \`--lease\`, \`--max-disk\` and \`--min-free-disk\` belong to the run: they can be changed then, and are forgotten with it.

${table(['flag', 'environment', 'file', 'default', 'meaning', 'commands'], rows)}

## Patterns

\`--include\`, \`--exclude\`, \`--archive-include\` and \`--archive-exclude\` take regular expressions in the syntax of JavaScript without flags. One matches a URL if it matches any part of it; \`^\` and \`$\` are the ends of the URL. \`(?i:...)\` ignores case. URLs are compared as they are visited: without fragment, with escapes in upper case, at most 2,048 characters of ASCII.

Patterns are matched in time proportional to the URL, whatever they look like. This differs from JavaScript's own engine in three ways, each refused when the setting is read:

- Look-around (\`(?=...)\`, \`(?!...)\`, \`(?<=...)\`, \`(?<!...)\`) is not supported. Instead of excluding with \`/(?!docs/)\`, include \`/docs/\`; instead of including all but some, exclude those.
- Back-references (\`\\1\`, \`\\k<name>\`) are not supported. \`\\1\` to \`\\9\` are refused also where there is no group to refer to.
- A pattern has at most ${MAX_PATTERN_LENGTH} characters and repeats nothing more than 1000 times, one repetition within another; a setting has at most ${MAX_PATTERNS} patterns, and these at most ${MAX_WEIGHT} characters together with their repetitions written out. Plain texts such as \`\\.pdf$\` do not count towards that.
`
}

function settingRow(name: SettingName, commands: Record<string, Command>): string[] {
  const { kind, help } = SCHEMA[name]
  const takers = Object.keys(commands).filter((command) => commands[command]?.settings.includes(name))
  const flag = `--${flagOf(name)} ${kind.placeholder}`.trim()
  return [code(flag), code(envOf(name)), code(fileKeyOf(name)), defaultText(name), help, takers.join(', ')]
}

function defaultText(name: SettingName): string {
  const setting = SCHEMA[name]
  if ('defaultText' in setting && setting.defaultText !== undefined) return setting.defaultText
  const value = setting.default
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none'
  return code(String(value))
}

/** What each end of a request without an answer means. */
const PROBLEMS: Record<FetchProblem, string> = {
  dns_failed: 'The host name could not be resolved.',
  connect_refused: 'Nothing listens there, or the network is unreachable.',
  connect_timeout: 'No connection within 9 seconds.',
  connection_lost: 'The connection ended before the answer was whole.',
  headers_timeout: 'No answer within 15 seconds of the request; 9 from a host that has not answered yet.',
  body_timeout: 'The body stood still for 15 seconds.',
  timeout: 'The request took longer than `--timeout`.',
  too_slow: 'After 10 seconds the body still came at less than 1,000 bytes a second.',
  tls_expired: 'The certificate has expired, or is not valid yet. Not retried.',
  tls_wrong_host: 'The certificate is for another host. Not retried.',
  tls_untrusted: 'Nobody known vouches for the certificate: it is self-signed, or its issuer is unknown. Not retried.',
  tls_invalid: 'The certificate or the TLS handshake is not valid in another way. Not retried.',
  http_invalid: 'The answer is not HTTP, or never comes to the point: more than 16 interim answers.',
  headers_too_large: 'More than 32 KiB of headers. Not retried.',
  encoding_unsupported:
    'A content or transfer coding that was not requested, or more than two content codings. Not retried.',
  encoding_invalid: 'The compressed body is broken or cut.',
  body_too_large: 'The decoded body is larger than `--max-body`. Not retried.',
  compression_bomb: 'The body unpacks to more than 1 MiB and a hundred times its size. Not retried.',
  address_blocked: 'The address is not public, and `--allow-private` was not given. The url is `excluded`.',
  port_blocked: 'The port belongs to another service, such as mail. The url is `excluded`.',
  unknown_error: 'Anything else; please report it.',
}

function errorsPage(): string {
  const errors = Object.entries(ERRORS).map(([name, { exit, help }]) => [code(name), String(exit), help])
  const problems = FETCH_PROBLEMS.map((problem) => [code(problem), PROBLEMS[problem]])
  return `# Errors and outcomes

## Exit codes

${table(
  ['code', 'meaning'],
  [
    ['0', 'The command did what it was asked. For `crawl` and `resume`: the crawl completed.'],
    [
      '1',
      'It failed: the store, the disk, or a defect. For `crawl` and `resume`: also when not one url gave an answer. For `compare`: the exports differ. For `verify` and `archive verify`: something is broken. For `export`: damaged records were left out. For `robots`: the url may not be visited.',
    ],
    ['2', 'The command line, a setting, a seed or an id is wrong. Nothing was changed.'],
    ['3', 'Interrupted by Ctrl-C or SIGTERM. The crawl can be resumed.'],
  ],
)}

A process ended by a signal it cannot catch (kill -9) has no exit code of its own; the crawl can be resumed.

## Errors

${table(['error', 'exit code', 'meaning'], errors)}

## States of a url

${table(
  ['state', 'meaning'],
  [
    ['`queued`', 'Known, not yet fetched; also while it waits for a retry.'],
    ['`in_progress`', 'Leased by a worker.'],
    [
      '`visited`',
      'Answered with 2xx. Reason `truncated`: the body was cut at `--max-body`, or a sitemap at 50 MiB, and what came before is used. A sitemap may also have `not_a_sitemap`, `sitemap_too_long` (more than 50,000 entries) or `sitemap_gzip_invalid`. A document that could not be read has its type and the cause, such as `pdf_encrypted` or `epub_broken`: see content-types.md.',
    ],
    [
      '`redirected`',
      'Answered with 301, 302, 303, 307 or 308; `redirect_to` says where. Reasons: `too_many_redirects` (more than ten in a row, the target is not followed), `redirect_loop` (it leads back to itself, directly or through others), `redirect_target_invalid` (`Location` is not a URL that can be fetched).',
    ],
    ['`forbidden`', 'Answered with 403.'],
    ['`not_found`', 'Answered with 404.'],
    [
      '`http_error`',
      'Any other answer, with reason `http_NNN` or `redirect_without_target`; 408, 421, 425, 429 and 5xx only after the retries.',
    ],
    [
      '`failed`',
      'No usable answer after the retries; the reasons are below. `host_unresponsive`: the host answered nothing any more, so the url was not asked for. `host_overloaded`: it answered nothing but 429 or 503 for as long as `--host-patience`. `stalled`: twice, reading its answer kept a crawl thread busy until it had to be replaced or had lost its leases.',
    ],
    [
      '`excluded`',
      'In the ledger but not fetched: `max_pages`, `cancelled`, `address_blocked`, `port_blocked`, `robots_unreachable` with its cause, the line of robots.txt that denies it, or `trap:` with the URL pattern whose pages repeat each other (see [traps.md](../explanation/traps.md)).',
    ],
  ],
)}

## Reasons of a failed url, and of an excluded one

${table(['reason', 'meaning'], problems)}

## Reasons of a rejected link

Links that never enter the ledger are counted by reason: \`scope\` (another host, domain or path), \`not_included\` and \`excluded_pattern\` (\`--include\`, \`--exclude\`), \`beyond_limit\` (beyond \`--depth\`, or the end of more than ten redirects in a row), \`scheme\` (not http or https), \`malformed\`, \`credentials\` (a user name in the url), \`too_long\` (more than 2,048 characters), \`nofollow\` (the link or its page says so), \`ugc\` and \`sponsored\` (with \`--skip-ugc-sponsored\`), \`path_too_deep\`, \`too_many_parameters\` and \`repeated_segments\` (the look of a trap), \`filter_list\`, \`too_many_links\` (beyond the \`--max-links\` of their page), \`sitemap_too_deep\`, and \`sitemap_\` with what is wrong with an entry.
`
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function code(text: string): string {
  return `\`${text}\``
}

if (import.meta.main) {
  for (const [file, page] of Object.entries(REFERENCE_PAGES))
    writeFileSync(new URL(`../../${file}`, import.meta.url), await page())
}
