// The calendar of a club: three events in most months of ten years, none in July and August. An event is linked from its
// month alone. Before and after these years there are only empty months.

import { type PageLookup, SimulatedSite } from './simulated-site.ts'
import { range } from './text-writer.ts'

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const WEEKDAYS = 'Mo Tu We Th Fr Sa Su'.split(' ')
const HOLIDAYS = [6, 7]
const FIRST_EVENTS = 2016 * 12
const LAST_EVENTS = 2026 * 12 + 2

export interface ClubCalendar {
  /** Articles, events, and the months that have some. */
  site: SimulatedSite
  /** Every other month is empty. */
  findPage: PageLookup
}

const CALENDAR_PATHS = {
  path: (year: number, month: number) => `/calendar/${year}/${month}`,
  query: (year: number, month: number) => `/calendar?month=${year}-${String(month).padStart(2, '0')}`,
  queries: (year: number, month: number) => `/calendar?year=${year}&month=${month}`,
}

export type CalendarPath = keyof typeof CALENDAR_PATHS
export const CALENDAR_PATH_NAMES = Object.keys(CALENDAR_PATHS) as CalendarPath[]

export interface CalendarOptions {
  /** It begins and ends after so many empty months; without a number it never does. */
  emptyMonths?: number
  name?: CalendarPath
  /** The home page links to the month so many months after the last event. */
  monthsSince?: number
}

export function clubCalendar(seed: number, options: CalendarOptions = {}) {
  const { emptyMonths = Number.POSITIVE_INFINITY, name = 'path', monthsSince = 0 } = options
  const site = new SimulatedSite(seed)
  const articles = range(300).map((i) => `/articles/${i}`)
  for (const path of articles) site.add(path, [site.writer.paragraph()], [])
  const pathOf = (at: number) => CALENDAR_PATHS[name](Math.floor(at / 12), (at % 12) + 1)
  site.add('/', ['Welcome'], [...articles, pathOf(LAST_EVENTS + monthsSince)])
  const isShown = (at: number) => at >= FIRST_EVENTS - emptyMonths && at <= LAST_EVENTS + emptyMonths
  const addMonth = (to: SimulatedSite, at: number, titles: string[], events: string[]) => {
    const head = [`${MONTHS[at % 12]} ${Math.floor(at / 12)}`, ...WEEKDAYS, ...range(30).map((day) => String(day + 1))]
    const list = titles.length === 0 ? ['No events this month'] : titles
    to.add(
      pathOf(at),
      [...head, ...list, 'Earlier', 'Later'],
      [...events, ...[at - 1, at + 1].filter(isShown).map(pathOf)],
    )
  }
  for (let at = FIRST_EVENTS; at <= LAST_EVENTS; at++) {
    const titles = HOLIDAYS.includes(at % 12) ? [] : range(3).map(() => site.writer.words(4))
    const events = titles.map((_, i) => `/event/${at}-${i}`)
    for (const [i, path] of events.entries()) site.add(path, [titles[i] ?? '', site.writer.paragraph()], [])
    addMonth(site, at, titles, events)
  }
  const findPage: PageLookup = (path) => {
    const known = site.findPage(path)
    const [year = 0, month = 0] = [...path.matchAll(/\d+/g)].map(Number)
    const at = year * 12 + month - 1
    if (known !== null || !path.startsWith('/calendar') || !isShown(at)) return known
    addMonth(site, at, [], [])
    const page = site.findPage(path)
    site.pages.delete(path)
    return page
  }
  return { site, findPage } satisfies ClubCalendar
}
