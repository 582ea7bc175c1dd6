// Settings of a crawl: how many requests it makes at a time and how long it waits between them.

import { crawlSetting, optional, setting } from '../setting.ts'
import { orKeyword, positiveNumber, wholeNumber } from '../setting-kinds.ts'

const DAY_MS = 86_400_000

export const SPEED_SETTINGS = {
  concurrency: crawlSetting(setting(wholeNumber(1, 10_000), 64, 'Maximum requests in flight, over all hosts.'), {
    isChangeable: true,
  }),
  perHost: crawlSetting(setting(wholeNumber(1, 1000), 1, 'Maximum requests in flight per host.'), {
    label: 'Requests per host',
    isChangeable: true,
  }),
  delay: crawlSetting(
    setting(
      orKeyword(wholeNumber(0, DAY_MS, 'MS'), 'auto'),
      'auto',
      'Gap between requests to a host; auto follows its response time.',
    ),
    { storedAs: 'delayMs', isChangeable: true },
  ),
  maxRate: crawlSetting(
    optional(positiveNumber(100_000), 'Maximum requests per second, over all hosts; 0.5 is one every two seconds.'),
    { label: 'Max requests per second', isChangeable: true },
  ),
  perIp: crawlSetting(setting(wholeNumber(1, 10_000), 8, 'Maximum requests in flight per server address.'), {
    label: 'Requests per IP address',
    isChangeable: true,
  }),
  cooldown: crawlSetting(
    setting(
      wholeNumber(0, DAY_MS, 'MS'),
      500,
      'Pause after a host refuses or fails often. Doubles up to ten times this; a host that stops answering is paused longer. 0 disables it.',
    ),
    { storedAs: 'cooldownMs', isChangeable: true },
  ),
  cooldownMax: crawlSetting(
    optional(
      wholeNumber(0, DAY_MS, 'MS'),
      'Longest pause after refusals and failures. If omitted, ten times --cooldown.',
    ),
    { storedAs: 'cooldownMaxMs', isChangeable: true },
  ),
  jitter: crawlSetting(
    setting(
      wholeNumber(0, DAY_MS, 'MS'),
      0,
      'Lengthen each gap between two requests to a host by a random time up to this, and at most by the gap itself.',
    ),
    { storedAs: 'jitterMs', isChangeable: true },
  ),
  hostPatience: crawlSetting(
    setting(
      wholeNumber(0, DAY_MS, 'MS'),
      300_000,
      'How long to keep trying a host that stops answering or refuses everything before giving up its URLs.',
    ),
    { storedAs: 'hostPatienceMs', isChangeable: true },
  ),
} as const
