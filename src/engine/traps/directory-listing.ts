// Recognises directory listings of web servers. They consist of names and numbers alone, so they seem to repeat each
// other, but a directory tree is finite.

import { pathStart } from '../url/url-key.ts'

/** Apache, nginx, lighttpd and Python name the directory in the title, as do Jetty, Tomcat and others. */
const TITLE = /\b(?:index of|directory(?: listing)?|listing)\b/i

export function isDirectoryListing(title: string, url: string): boolean {
  if (!TITLE.test(title)) return false
  const path = url.slice(pathStart(url)).replace(/\?.*$/s, '').replace(/\/$/, '')
  return title.includes(path) || title.includes(decoded(path))
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // The escapes are in another charset.
    return path
  }
}
