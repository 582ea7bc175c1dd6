// Recognises the version of a document in a directory of its URL: /3.2/library/os.html and /stable/library/os.html are
// versions of /library/os.html.

/** Channels of versions; the higher is shown. A URL without a version shows the current one. */
const [CURRENT, NUMBERED, UNRELEASED] = [2, 1, 0]
const CURRENT_NAMES = ['latest', 'stable', 'current']
const UNRELEASED_NAMES = ['dev', 'devel', 'develop', 'edge', 'main', 'master', 'next', 'nightly', 'preview', 'trunk']
const CHANNELS = new Map([
  ...CURRENT_NAMES.map((name) => [name, CURRENT] as const),
  ...UNRELEASED_NAMES.map((name) => [name, UNRELEASED] as const),
])
const NUMBER_PATTERN = String.raw`(?:v|ver|version|rel|release)?[-_.]?(\d+(?:[._]\d+)*)([._]x)?([-_.]?(?:a|alpha|b|beta|rc|pre|preview|dev|snapshot)[-_.]?\d*)?`
const NUMBER = new RegExp(`^${NUMBER_PATTERN}$`, 'i')
/** A number alone may also be that of a chapter or a product, so it must be small, or a year. */
const PLAIN_NUMBER = /^(?:\d{1,2}|(?:19|20)\d\d)$/
/** Rules out most URLs quickly. */
const HAS_VERSION = new RegExp(`/(?:${[...CHANNELS.keys()].join('|')}|${NUMBER_PATTERN})/`, 'i')
const VERSION_IN_TITLE = /v?\d+(?:[._]\d+)*/gi

export interface DocumentVersion {
  /** The URL without the version. */
  documentUrl: string
  channel: number
  numbers: readonly number[]
  isPreRelease: boolean
}

/** The last part of the path is a page, and never a version: /releases/3.2 is about that release. */
export function parseDocumentVersion(url: string): DocumentVersion {
  const unversioned = { documentUrl: url, channel: CURRENT, numbers: [], isPreRelease: false }
  const start = url.indexOf('/', url.indexOf('//') + 2)
  if (start === -1 || !HAS_VERSION.test(url.slice(start))) return unversioned
  const [path = '', ...query] = url.slice(start + 1).split(/(?=[?#])/)
  const parts = path.split('/')
  const directories = parts.slice(0, -1)
  const clear = directories.findIndex((part) => !PLAIN_NUMBER.test(part) && parsePart(part) !== null)
  const at = clear === -1 ? directories.findIndex((part) => PLAIN_NUMBER.test(part)) : clear
  const version = parsePart(directories[at] ?? '')
  if (version === null) return unversioned
  return { documentUrl: [url.slice(0, start), ...parts.toSpliced(at, 1)].join('/') + query.join(''), ...version }
}

function parsePart(part: string): Omit<DocumentVersion, 'documentUrl'> | null {
  const channel = CHANNELS.get(part.toLowerCase())
  if (channel !== undefined) return { channel, numbers: [], isPreRelease: false }
  const match = NUMBER.exec(part)
  if (match === null) return null
  const [, digits = '', anyPatch, preRelease] = match
  if (!/\D/.test(part) && !PLAIN_NUMBER.test(part)) return null
  const numbers = digits.split(/[._]/).map(Number)
  // 2.x is the newest of 2.0, 2.1, ...
  if (anyPatch !== undefined) numbers.push(Number.POSITIVE_INFINITY)
  return { channel: NUMBERED, numbers, isPreRelease: preRelease !== undefined }
}

/** Positive if `a` is the newer version; 0 if neither is. */
export function compareVersions(a: DocumentVersion, b: DocumentVersion): number {
  if (a.channel !== b.channel) return a.channel - b.channel
  for (let i = 0; i < Math.max(a.numbers.length, b.numbers.length); i++) {
    const [x, y] = [a.numbers[i] ?? 0, b.numbers[i] ?? 0]
    if (x !== y) return x > y ? 1 : -1
  }
  return Number(b.isPreRelease) - Number(a.isPreRelease)
}

/** Titles often name the version. */
export function withoutVersion(title: string): string {
  return title.replace(VERSION_IN_TITLE, '#')
}
