import type { PageFacts } from '../page-facts.ts'
import type { Rule } from '../rule.ts'

interface Protection {
  name: string
  isMissing(url: string, headers: ReadonlyMap<string, string>, metaPolicy: string): boolean
}

const PROTECTIONS: readonly Protection[] = [
  {
    name: 'Strict-Transport-Security',
    isMissing: (url, headers) => url.startsWith('https:') && !headers.has('strict-transport-security'),
  },
  {
    name: 'X-Content-Type-Options: nosniff',
    isMissing: (_url, headers) => !/\bnosniff\b/i.test(headers.get('x-content-type-options') ?? ''),
  },
  {
    name: 'Content-Security-Policy',
    isMissing: (_url, headers, metaPolicy) => !headers.has('content-security-policy') && metaPolicy === '',
  },
  {
    name: 'X-Frame-Options or frame-ancestors',
    // A policy in a meta element cannot restrict frames.
    isMissing: (_url, headers) =>
      !headers.has('x-frame-options') && !/\bframe-ancestors\b/i.test(headers.get('content-security-policy') ?? ''),
  },
]

interface HostCounts {
  pages: number
  missing: number[]
  first: ({ urlId: number; url: string } | null)[]
}

export const securityHeaders: Rule = {
  name: 'security-headers',
  title: 'Missing security headers',
  severity: 'notice',
  why: 'These headers protect against downgraded connections, MIME sniffing, injected scripts and clickjacking.',
  fix: 'Set the header in the configuration of the web server, for all pages of the host.',
  needs: 'archive',
  start({ urls, add }) {
    const hosts = new Map<string, HostCounts>()
    const count = (index: number, url: string, { headers, metaPolicy }: PageFacts) => {
      if (headers === null || !urls.has(index, 'page')) return
      const { origin } = new URL(url)
      const host = hosts.get(origin) ?? {
        pages: 0,
        missing: PROTECTIONS.map(() => 0),
        first: PROTECTIONS.map(() => null),
      }
      hosts.set(origin, host)
      host.pages += 1
      for (const [i, protection] of PROTECTIONS.entries()) {
        if (!protection.isMissing(url, headers, metaPolicy)) continue
        host.missing[i] = (host.missing[i] ?? 0) + 1
        host.first[i] ??= { urlId: urls.idOf(index), url }
      }
    }
    return {
      page: ({ index, version, facts }) => count(index, version.url, facts),
      end() {
        for (const [origin, { pages, missing, first }] of hosts) {
          for (const [i, { name }] of PROTECTIONS.entries()) {
            const page = first[i]
            if (page == null) continue
            add({ ...page, text: name, detail: `Missing on ${missing[i]} of ${pages} pages of ${origin}` })
          }
        }
      },
    }
  },
}
