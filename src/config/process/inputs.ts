// Settings of commands: which store they use, and what they read.

import { storePlace, storeUrl } from '../address-kinds.ts'
import { optional, setting } from '../setting.ts'
import { listOf, onOff, text } from '../setting-kinds.ts'

export const INPUT_SETTINGS = {
  data: setting(text('DIR'), './orbweaver-data', 'Data directory.'),
  store: optional(
    storeUrl(),
    'Postgres database to use instead of a file in --data; the hosts of a primary and its standbys are separated by commas. Archived pages stay in --data, or go to --archive-store.',
  ),
  from: optional(storePlace(), 'Store to move: a data directory or a Postgres database.'),
  to: optional(storePlace(), 'Target of a move: a new or empty data directory, or an empty Postgres database.'),
  force: setting(
    onOff(),
    false,
    'Move a store even if archive segments are missing here; overwrite the output file of an export or audit; drain the last worker.',
  ),
  config: optional(text('FILE'), 'JSON file with settings. Flags and environment variables override it.'),
  seeds: optional(
    text('FILE'),
    'Read more seeds from a file, one per line or a JSON array; - reads standard input, s3://bucket/key an object.',
  ),
  cookiesFrom: optional(
    text('FILE'),
    'Start with the cookies that a browser has exported: cookies.txt in Netscape format, or JSON. Only cookies for the sites of the start URLs are used; turns --cookies on.',
  ),
  policies: optional(
    text('FILE'),
    'JSON file with host policies to set in the store: a list such as {"host": "*.example.com", "delay": 2000}.',
  ),
  sitemap: setting(
    listOf(text('URL')),
    [],
    'Sitemap to read: a URL, or a path such as /sitemap.xml on every seed host; repeatable.',
  ),
} as const
