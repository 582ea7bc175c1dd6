// Names of languages, content types and months as people know them, for the search page and the web app.

const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language' })

const TYPES = new Map([
  ['text/html', 'HTML'],
  ['application/xhtml+xml', 'XHTML'],
  ['text/plain', 'Text'],
  ['text/markdown', 'Markdown'],
  ['application/pdf', 'PDF'],
  ['application/epub+zip', 'EPUB'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'Word'],
  ['application/vnd.oasis.opendocument.text', 'OpenDocument'],
])

export function facetText(facet: 'host' | 'lang' | 'type' | 'date', key: string): string {
  switch (facet) {
    case 'host':
      return key
    case 'lang':
      // Intl throws on a tag that is not well-formed, and a reader can type any into the address.
      return /^[a-z]{2,3}$/i.test(key) ? (LANGUAGES.of(key) ?? key) : key
    case 'type': {
      const type = key.split(';', 1)[0] ?? key
      return TYPES.get(type) ?? type
    }
    case 'date': {
      const month = new Date(`${key}-01T00:00:00Z`)
      if (Number.isNaN(month.getTime())) return key
      return month.toLocaleDateString('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })
    }
  }
}
