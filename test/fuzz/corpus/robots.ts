import type { SeededRandom } from '../../../src/lib/seeded-random.ts'

export const ROBOTS_CORPUS = [
  'User-agent: *\nDisallow: /private\nAllow: /private/open\nCrawl-delay: 2.5\nSitemap: https://example.com/s.xml\n',
  'User-Agent: Orbweaver\nUser-agent: foo\n# note\nDisallow: /*.pdf$\nDisallow: /a*b*c\nAllow: /\n\nUser-agent: *\nDisallow: /\n',
  '\uFEFFuser agent: foo-bar\r\ndisallow : /%7euser/%C3%A9?q=/x\r\nallow:/é$\r\ncrawl-delay: .5\r\n',
  'user-agent: *\rdisallow: /?a=*%2Fb\rdisallow: /?\rallow: /?a=\r',
  '<!doctype html><html><body>User-agent: *\nDisallow: /\n',
  Buffer.from('\uFEFFUser-agent: *\nDisallow: /wide\n', 'utf16le'),
  'Disallow: /before\nUser-agent: * all\nDisallow:\nUser-agent: foo/2.0\nCrawl-delay: 1\nUser-agent: *\nDisalow: /typo\n',
]

export const ROBOTS_TOKENS = [
  'User-agent: ',
  'User-agent: *\n',
  'User-agent: orbweaver\n',
  'useragent:foo\n',
  'User-agent: foo-bar\n',
  'Disallow: /',
  'Disallow:',
  'Allow: /',
  'Allow: *',
  'Crawl-delay: ',
  'Sitemap: ',
  'disalow /',
  'Host: x\n',
  '\n',
  '\r',
  '\r\n',
  ' ',
  '\t',
  '#',
  ':',
  '*',
  '$',
  '/',
  '?',
  '%',
  '%2F',
  '%2f',
  '%3F',
  '%2A',
  '%24',
  '%',
  '\0',
  'a',
  'b',
  'ab',
  'é',
  '日',
  '*a',
  '/*/*',
  '.html$',
  '$$',
  '**',
  '*$',
  '1',
  '1e9',
  '-',
  '=',
  '&',
  '\uFEFF',
  '\v',
]

/** Few letters, so that rules overlap and paths match several of them. */
const PIECES = ['a', 'b', 'ab', '/', '/', '?', '=', '%2F', '%3f', 'é', '%C3%A9']
const NAMES = ['*', 'orbweaver', 'foo', 'foo-bar', 'other']

export function writeRobotsFile(seededRandom: SeededRandom): string {
  const group = () => {
    const rules = Array.from({ length: 1 + seededRandom.below(6) }, () => {
      const pattern = writePath(seededRandom, [...PIECES, '*', '*', '*'])
      return `${seededRandom.pick(['Allow', 'Disallow'])}: ${pattern}${seededRandom.pick(['', '', '$'])}\n`
    })
    return `User-agent: ${seededRandom.pick(NAMES)}\n${rules.join('')}`
  }
  return Array.from({ length: 1 + seededRandom.below(3) }, group).join('')
}

export function writePath(seededRandom: SeededRandom, pieces: readonly string[] = PIECES): string {
  return `/${Array.from({ length: seededRandom.below(6) }, () => seededRandom.pick(pieces)).join('')}`
}
