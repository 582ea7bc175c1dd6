// Generates the reference pages: `npm run docs` writes them, and a test checks that they are up to date.

import { writeFileSync } from 'node:fs'
import { CRAWL_SCHEMA } from '../config/crawl-schema.ts'
import { COMMAND_SETTINGS } from '../config/process/commands.ts'
import { CRAWLING_SETTINGS } from '../config/process/crawling.ts'
import { INPUT_SETTINGS } from '../config/process/inputs.ts'
import { SEARCH_INDEX_SETTINGS } from '../config/process/search-index.ts'
import { SERVER_SETTINGS } from '../config/process/server.ts'
import { WORKER_PROCESS_SETTINGS } from '../config/process/worker.ts'
import { fileKeyOf, SCHEMA, type SettingName } from '../config/schema.ts'
import { SETTING_GROUPS } from '../config/setting.ts'
import { MAX_PATTERN_LENGTH, MAX_WEIGHT } from '../config/values/pattern-syntax.ts'
import { MAX_PATTERNS } from '../config/values/translate-patterns.ts'
import { FETCH_PROBLEMS, type FetchProblem } from '../engine/fetch/fetch-result.ts'
import { ERRORS } from '../lib/errors.ts'
import { loadCommands } from './commands.ts'
import type { Command } from './io.ts'
import { defaultText, flagText, helpText } from './setting-text.ts'

export const REFERENCE_PAGES: Record<string, () => string | Promise<string>> = {
  'docs/reference/configuration.md': configurationPage,
  'docs/reference/errors.md': errorsPage,
}

async function configurationPage(): Promise<string> {
  const commands = await loadCommands()
  const sections = SETTING_SECTIONS.map(([heading, names]) => {
    const rows = names.map((name) => settingRow(name, commands))
    return `## ${heading}\n\n${table(['flag', 'default', 'meaning', 'commands'], rows)}`
  })
  return `# Configuration

Settings come from the command line, the environment, or a JSON file named with \`--config\`, in this order of precedence. The name of a flag gives the other two: \`--max-pages\` is \`ORBWEAVER_MAX_PAGES\` in the environment and \`max_pages\` in the file, \`--no-traps\` is \`ORBWEAVER_TRAPS=false\` and \`"traps": false\`. If a value is invalid or unknown, the program stops before it changes anything and lists every bad field. A repeatable setting takes one value per line in the environment and an array in the file.

A crawl keeps the settings it was started with, and \`resume\` uses them again. \`--threads\`, \`--seen-urls\`, \`--lease\`, \`--max-disk\` and \`--min-free-disk\` are not stored with the crawl: they apply to one run.

${sections.join('\n\n')}

## Patterns

\`--include\`, \`--exclude\`, \`--archive-include\` and \`--archive-exclude\` take JavaScript regular expressions without flags. A pattern matches a URL if it matches any part of it; \`^\` and \`$\` match the start and end of the URL. \`(?i:...)\` ignores case. Patterns are matched against the normalized URL: without fragment, with upper-case escapes, ASCII only, at most 2,048 characters.

Every pattern is matched in time linear in the length of the URL. The syntax therefore differs from JavaScript's own engine in three ways; a pattern that breaks one of these rules is rejected when the setting is read:

- Look-around (\`(?=...)\`, \`(?!...)\`, \`(?<=...)\`, \`(?<!...)\`) is not supported. Instead of excluding with \`/(?!docs/)\`, include \`/docs/\`; instead of including all but some, exclude those.
- Back-references (\`\\1\`, \`\\k<name>\`) are not supported. \`\\1\` to \`\\9\` are rejected even without a group to refer to.
- A pattern has at most ${MAX_PATTERN_LENGTH} characters and at most 1000 repetitions, nested ones multiplied. A setting has at most ${MAX_PATTERNS} patterns with at most ${MAX_WEIGHT} characters in total, counting repetitions as if written out. Plain text patterns such as \`\\.pdf$\` do not count towards that.
`
}

const SETTING_SECTIONS: [heading: string, names: SettingName[]][] = [
  ['Store and input', keysOf(INPUT_SETTINGS)],
  ...SETTING_GROUPS.map((group): [string, SettingName[]] => [
    `Crawl: ${group.toLowerCase()}`,
    keysOf(CRAWL_SCHEMA).filter((name) => CRAWL_SCHEMA[name].group === group),
  ]),
  ['Archive files, memory and threads', keysOf(CRAWLING_SETTINGS)],
  ['Server', keysOf(SERVER_SETTINGS)],
  ['Workers and logs', keysOf(WORKER_PROCESS_SETTINGS)],
  ['Search index', keysOf(SEARCH_INDEX_SETTINGS)],
  ['Single commands', keysOf(COMMAND_SETTINGS)],
]

function keysOf<S extends object>(settings: S): (keyof S)[] {
  return Object.keys(settings) as (keyof S)[]
}

function settingRow(name: SettingName, commands: Record<string, Command>): string[] {
  const all = Object.keys(commands)
  const having = all.filter((command) => commands[command]?.settings.includes(name))
  const listed = having.length > all.length / 2 ? 'most' : having.join(', ')
  return [code(flagText(name)), defaultCell(name), helpText(name), listed]
}

/** A flag that turns a setting off is not the name of the setting, which the default belongs to. */
function defaultCell(name: SettingName): string {
  if ('offHelp' in SCHEMA[name]) return code(`"${fileKeyOf(name)}": ${SCHEMA[name].default}`)
  const { text, isLiteral } = defaultText(name) ?? { text: 'none', isLiteral: false }
  return isLiteral ? code(text) : text
}

/** Explains each problem of a request without a usable response. */
const PROBLEMS: Record<FetchProblem, string> = {
  dns_failed: 'The host name could not be resolved.',
  connect_refused: 'Nothing listens on that port, or the network is unreachable.',
  connect_timeout: 'No connection within 9 seconds.',
  connection_lost: 'The connection ended before the response was complete.',
  headers_timeout:
    'No response headers within 15 seconds of the request; within 9 seconds if the host has not responded before.',
  body_timeout: 'No data of the body arrived for 15 seconds.',
  timeout: 'The request took longer than `--timeout`.',
  too_slow: 'After 10 seconds the body still arrived at less than 1,000 bytes per second.',
  lease_lapsed:
    'The crawler could not renew its lease of the host in time, because it or the store was too slow. The URL is tried again; this does not count as an attempt, or against the host.',
  tls_expired: 'The certificate has expired, or is not valid yet. Not retried.',
  tls_wrong_host: 'The certificate is for another host. Not retried.',
  tls_untrusted: 'The certificate is not trusted: it is self-signed, or its issuer is unknown. Not retried.',
  tls_invalid: 'The certificate or the TLS handshake is invalid in another way. Not retried.',
  http_invalid: 'The response is not valid HTTP, or has more than 16 interim responses.',
  headers_too_large: 'More than 32 KiB of headers. Not retried.',
  proxy_failed:
    'No proxy of the host works. The URL waits and is tried again; this does not count as an attempt, or against the host.',
  proxy_refused: 'The proxy does not allow a connection to this host or port. Not retried.',
  encoding_unsupported:
    'The response has a content or transfer coding that was not requested, or more than two content codings. Not retried.',
  encoding_invalid: 'The compressed body is corrupt or incomplete.',
  body_too_large: 'The decoded body is larger than `--max-body`. Not retried.',
  compression_bomb: 'The body decompresses to more than 1 MiB and more than a hundred times its size. Not retried.',
  address_blocked: 'The address is not public, and `--allow-private` was not given. The URL is `excluded`.',
  port_blocked: 'The port belongs to another service, such as mail. The URL is `excluded`.',
  unknown_error: 'Any other error; please report it.',
}

function errorsPage(): string {
  const errors = Object.entries(ERRORS).map(([name, { exit, help }]) => [code(name), String(exit), help])
  const problems = FETCH_PROBLEMS.map((problem) => [code(problem), PROBLEMS[problem]])
  return `# Errors and outcomes

## Exit codes

${table(
  ['code', 'meaning'],
  [
    ['0', 'The command succeeded. For `crawl` and `resume`: the crawl completed.'],
    [
      '1',
      'The command failed because of the store, the disk or a bug. For `crawl` and `resume`: also if no page could be visited. For `compare`: the exports differ. For `verify` and `archive verify`: a check failed. For `export`: damaged records were skipped. For `robots`: the URL is disallowed.',
    ],
    ['2', 'The command line, a setting, a seed or an id is wrong. Nothing was changed.'],
    ['3', 'Interrupted by Ctrl-C, SIGTERM or SIGHUP. The crawl can be resumed.'],
    ['4', 'For `audit`: a rule named in --fail-on has more findings than accepted, or could not be checked.'],
  ],
)}

A process killed by a signal that it cannot catch (kill -9) has no exit code of its own; the crawl can be resumed.

## Errors

${table(['error', 'exit code', 'meaning'], errors)}

## URL states

${table(
  ['state', 'meaning'],
  [
    ['`queued`', 'Known but not fetched yet, or waiting for a retry.'],
    ['`in_progress`', 'Assigned to a worker: being fetched, or waiting for its host.'],
    [
      '`visited`',
      'The response was 2xx. Reason `truncated`: the body was cut at `--max-body`, or a sitemap at 50 MiB, and the part before the cut is used. A sitemap may also have `not_a_sitemap`, `sitemap_too_long` (more than 50,000 entries) or `sitemap_gzip_invalid`. A document that could not be read has its type and the cause, such as `pdf_encrypted` or `epub_broken`: see content-types.md. A page that was not rendered to the end has `script_blocked` or the limit, such as `render_timeout`, and one whose scripts or data did not load `render_incomplete`: see the guide on rendering.',
    ],
    [
      '`redirected`',
      'The response was 301, 302, 303, 307 or 308; `redirect_to` is the target. Reasons: `too_many_redirects` (more than ten in a row; the target is not followed), `redirect_loop` (it leads back to itself, directly or through others), `redirect_target_invalid` (`Location` is not a URL that can be fetched).',
    ],
    ['`forbidden`', 'The response was 403.'],
    ['`not_found`', 'The response was 404.'],
    [
      '`http_error`',
      'Any other response, with reason `http_NNN` or `redirect_without_target`; 408, 421, 425, 429 and 5xx only after all retries.',
    ],
    [
      '`failed`',
      'No usable response after all retries; the reasons are listed below. `host_unresponsive`: the host stopped responding, so the URL was not requested. `host_overloaded`: the host responded only with 429 or 503 for as long as `--host-patience`. `stalled`: processing its response twice blocked a crawl thread until the thread was replaced or lost its leases. `hook_failed`, `hook_timeout`: a hook of the program that runs the crawl threw, or took too long, before the request or with the response.',
    ],
    [
      '`excluded`',
      'Part of the crawl, but not fetched. The reason is `blocked_host`, `depth`, `max_pages`, `host_max_pages` (the maximum of a policy), `cancelled`, `scope`, `not_included` or `excluded_pattern` (settings that changed after the URL was discovered), `hook_refused` (the hook `onRequest` of the program that runs the crawl), `address_blocked`, `port_blocked`, `robots_unreachable` with its cause, the line of robots.txt that disallows it, or `trap:` with the URL pattern whose pages repeat each other (see [traps.md](../explanation/traps.md)).',
    ],
  ],
)}

## Reasons of failed and excluded URLs

${table(['reason', 'meaning'], problems)}

## Reasons of rejected links

Links that are not admitted to the crawl are counted by reason: \`scope\` (another host, domain or path), \`not_included\` and \`excluded_pattern\` (\`--include\`, \`--exclude\`), \`beyond_limit\` (beyond \`--depth\`, or the end of more than ten redirects in a row), \`scheme\` (not http or https), \`malformed\`, \`credentials\` (a user name in the URL), \`too_long\` (more than 2,048 characters), \`nofollow\` (set on the link or its page), \`ugc\` and \`sponsored\` (with \`--skip-ugc-sponsored\`), \`path_too_deep\`, \`too_many_parameters\` and \`repeated_segments\` (typical of spider traps), \`hidden_email\` (an e-mail address that Cloudflare hides: \`/cdn-cgi/l/email-protection\`), \`filter_list\`, \`too_many_links\` (beyond the \`--max-links\` of their page), \`too_many_requisites\` (beyond 10,000 of one page, with \`--requisites\`), \`sitemap_too_deep\`, and \`sitemap_\` with the problem of a sitemap entry.
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
