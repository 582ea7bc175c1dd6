// Candidates of a `srcset`: a URL without spaces, then descriptors up to a comma.
// https://html.spec.whatwg.org/multipage/images.html#parsing-a-srcset-attribute

const CANDIDATE = /[\s,]*([^\s,]\S*)([^,]*)/y

export function rewriteSrcset(value: string, replace: (url: string) => string): string {
  const candidates: string[] = []
  for (CANDIDATE.lastIndex = 0; ; ) {
    const [, word, rest = ''] = CANDIDATE.exec(value) ?? []
    if (word === undefined) return candidates.join(', ')
    const url = word.slice(0, endWithoutCommas(word))
    // A comma at its end means that it has no descriptors: what follows is the next candidate.
    if (url.length < word.length) CANDIDATE.lastIndex -= rest.length
    candidates.push(`${replace(url)}${url.length < word.length ? '' : ` ${rest.trim()}`}`.trim())
  }
}

function endWithoutCommas(word: string): number {
  let end = word.length
  while (word.charAt(end - 1) === ',') end -= 1
  return end
}

export function findSrcsetUrls(value: string): string[] {
  const urls: string[] = []
  rewriteSrcset(value, (url) => {
    urls.push(url)
    return url
  })
  return urls
}
