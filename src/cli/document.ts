// The reference pages that are made from code: `npm run docs` writes them, a test keeps them equal.

import { writeFileSync } from 'node:fs'
import { envOf, fileKeyOf, flagOf, SCHEMA, SETTING_NAMES, type SettingName } from '../config/schema.ts'
import { FETCH_PROBLEMS, type FetchProblem } from '../engine/fetch/result.ts'
import { ERRORS } from '../lib/errors.ts'
import { COMMANDS } from './run.ts'

export const PAGES: Record<string, () => string> = {
  'docs/configuration.md': configurationPage,
  'docs/errors.md': errorsPage,
}

function configurationPage(): string {
  return `# Configuration

Every setting can be given on the command line, in the environment, or in a JSON file named with \`--config\`; the first of these that has it wins. A bad or unknown value stops the program before anything is changed, with every bad field named. A setting that may be repeated stands once per line in the environment, and as an array in a file.

A crawl keeps the settings it was started with; \`resume\` uses them again. \`--threads\`, \`--seen-urls\` and \`--lease\` belong to the run and can be changed then.

${table(['flag', 'environment', 'file', 'default', 'meaning', 'commands'], SETTING_NAMES.map(settingRow))}
`
}

function settingRow(name: SettingName): string[] {
  const { kind, help } = SCHEMA[name]
  const commands = Object.entries(COMMANDS)
    .filter(([, command]) => command.settings.includes(name))
    .map(([command]) => command)
  const flag = `--${flagOf(name)} ${kind.placeholder}`.trim()
  return [code(flag), code(envOf(name)), code(fileKeyOf(name)), defaultText(name), help, commands.join(', ')]
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
  connect_timeout: 'No connection within 10 seconds.',
  connection_lost: 'The connection ended before the answer was whole.',
  headers_timeout: 'No answer within 15 seconds of the request.',
  body_timeout: 'The body stood still for 15 seconds.',
  timeout: 'The request took longer than `--timeout`.',
  tls_invalid: 'The certificate or the TLS handshake is not valid. Not retried.',
  http_invalid: 'The answer is not HTTP.',
  headers_too_large: 'More than 32 KiB of headers. Not retried.',
  encoding_unsupported: 'A content coding nobody asked for, or more than two. Not retried.',
  encoding_invalid: 'The compressed body is broken or cut.',
  body_too_large: 'The decoded body is larger than `--max-body`. Not retried.',
  address_blocked: 'The address is not public, and `--allow-private` was not given. The url is `excluded`.',
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
      'It failed: the store, the disk, or a defect. For `compare`: the exports differ. For `verify`: rules are broken.',
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
    ['`visited`', 'Answered with 2xx. Reason `truncated`: the body was cut at `--max-body`.'],
    [
      '`redirected`',
      'Answered with 301, 302, 303, 307 or 308; `redirect_to` says where. Reason `too_many_redirects`: more than ten in a row, the target is not followed.',
    ],
    ['`forbidden`', 'Answered with 403.'],
    ['`not_found`', 'Answered with 404.'],
    [
      '`http_error`',
      'Any other answer, with reason `http_NNN` or `redirect_without_target`; 408, 421, 425, 429 and 5xx only after the retries.',
    ],
    ['`failed`', 'No usable answer after the retries; the reasons are below.'],
    [
      '`excluded`',
      'In the ledger but not fetched: `max_pages`, `cancelled`, `address_blocked`, `robots_unreachable` with its cause, or the line of robots.txt that denies it.',
    ],
  ],
)}

## Reasons of a failed url, and of an excluded one

${table(['reason', 'meaning'], problems)}

## Reasons of a rejected link

Links that never enter the ledger are counted by reason: \`scope\` (another host, domain or path), \`not_included\` and \`excluded_pattern\` (\`--include\`, \`--exclude\`), \`beyond_limit\` (beyond \`--depth\`, or the end of more than ten redirects in a row), \`scheme\` (not http or https), \`malformed\`, \`credentials\` (a user name in the url), \`too_long\` (more than 2,048 characters).
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
  for (const [file, page] of Object.entries(PAGES)) writeFileSync(new URL(`../../${file}`, import.meta.url), page())
}
