// Names of months in the languages that write a day as its number, the name of its month and its year.

const LANGUAGES = 'ca cs da de el en es fi fr hu id it nb nl pl pt ro ru sk sl sv tr uk'.split(' ')
/** Filled at the first use. */
const MONTHS = new Map<string, number>()

/** 1 to 12; NaN if it is not a month. */
export function monthOfName(name: string): number {
  if (MONTHS.size === 0) fill()
  return MONTHS.get(name.toLowerCase()) ?? Number.NaN
}

function fill(): void {
  for (const language of LANGUAGES) {
    for (const month of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { day: 'numeric', month, year: 'numeric', timeZone: 'UTC' })
      for (let i = 0; i < 12; i++) {
        const name = format.formatToParts(Date.UTC(2026, i, 1)).find(({ type }) => type === 'month')?.value ?? ''
        MONTHS.set(name.toLowerCase().replace('.', ''), i + 1)
      }
    }
  }
}
