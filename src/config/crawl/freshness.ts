// Settings of a crawl: when it visits its URLs again, and which changes do not count.

import { systemTimeZone } from '../../lib/cron.ts'
import { crawlSetting, optional, setting } from '../setting.ts'
import { orKeyword, patterns, selectors, wholeNumber } from '../setting-kinds.ts'
import { cronExpression, formatTimeSpan, parseTimeSpan, timeSpanText, timeZone } from '../time-kinds.ts'

/** Interval in ms, or a word. */
export type Recrawl = number | 'adaptive' | 'off'

export const FRESHNESS_SETTINGS = {
  recrawl: crawlSetting(
    setting(
      orKeyword(orKeyword(timeSpanText(), 'adaptive'), 'off'),
      'off',
      'Visit URLs again: at this interval, or adaptive (the more often a page changes, the more often it is visited). The crawl then never completes by itself.',
    ),
    { label: 'Revisit', isChangeable: true, toStored: parseRecrawl, fromStored: formatRecrawl },
  ),
  recrawlMin: crawlSetting(setting(timeSpanText(), '15m', 'Shortest interval between adaptive revisits of a URL.'), {
    label: 'Shortest interval',
    storedAs: 'recrawlMinMs',
    isChangeable: true,
    toStored: parseTimeSpan,
    fromStored: formatTimeSpan,
  }),
  recrawlMax: crawlSetting(
    setting(
      timeSpanText(),
      '30d',
      'Longest interval between visits, for adaptive revisits and for pages that no longer exist.',
    ),
    {
      label: 'Longest interval',
      storedAs: 'recrawlMaxMs',
      isChangeable: true,
      toStored: parseTimeSpan,
      fromStored: formatTimeSpan,
    },
  ),
  recrawlBudget: crawlSetting(optional(wholeNumber(1, 1e9), 'Maximum revisits per day.'), {
    label: 'Revisits per day',
    isChangeable: true,
  }),
  schedule: crawlSetting(
    optional(
      cronExpression(),
      'Visit all URLs again at these times: "0 3 * * *" is daily at 3:00. With --recrawl, URLs that are due wait for the next of these times.',
    ),
    { isChangeable: true },
  ),
  timeZone: crawlSetting(
    setting(timeZone(), systemTimeZone(), 'Time zone of --schedule, such as Europe/Berlin.', 'that of the machine'),
    { isChangeable: true },
  ),
  ignoreChanges: crawlSetting(
    setting(patterns(), [], 'Ignore changes in lines of text that match one of these patterns; repeatable.'),
    { label: 'Ignore changes in lines', isChangeable: true },
  ),
  ignoreSelector: crawlSetting(
    setting(selectors(), [], 'Ignore changes in elements that match one of these CSS selectors; repeatable.'),
    { label: 'Ignore changes in elements', storedAs: 'ignoreSelectors', isChangeable: true },
  ),
} as const

function parseRecrawl(text: string): Recrawl {
  return text === 'adaptive' || text === 'off' ? text : parseTimeSpan(text)
}

function formatRecrawl(recrawl: Recrawl): string {
  return typeof recrawl === 'number' ? formatTimeSpan(recrawl) : recrawl
}
