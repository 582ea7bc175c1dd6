// Serves the built files of the web app. Paths that are not files get index.html, because the app routes them itself.

import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Hono } from 'hono'
import type { RequestGuard } from '../auth/request-guard.ts'
import { WEB_APP_CSP } from '../auth/security-headers.ts'
import { throwRouteNotFound } from './mount-routes.ts'
import type { ApiContext, ApiEnv } from './request-context.ts'
import { requireAccess } from './request-context.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Orbweaver</title>
<h1>Orbweaver</h1>
<p>The server is running, but the web app is not built. Build it with <code>npm run web</code> and reload this page.</p>
<p>The API is documented at <a href="/api/docs">/api/docs</a>.</p>
</html>
`

/** The web page of another crawler, which its users may have bookmarked. */
const LEGACY_PATHS = ['/ui', '/ui/', '/ui/index.html']

/** The scene was at this path, which is now the public search page if there is one. */
const FORMER_SEARCH_PATH = '/search'
const SEARCH_PATH = '/find'

/** The names of built assets contain a hash of their content. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

export function mountWebApp(app: Hono<ApiEnv>, { folder, guard }: { folder: string; guard: RequestGuard }): void {
  for (const path of LEGACY_PATHS) app.get(path, (c) => c.redirect('/'))
  app.get(FORMER_SEARCH_PATH, (c) => c.redirect(`${SEARCH_PATH}${new URL(c.req.url).search}`))
  app.get('*', requireAccess(guard, { scope: 'read', isOpen: true }), async (c) => {
    const { path } = c.req
    if (path.startsWith('/api/')) return throwRouteNotFound(c)
    const file = await findFile(folder, path)
    if (file !== null) return sendFile(c, file, path.startsWith('/assets/') ? IMMUTABLE : 'no-cache')
    // A missing asset is an error; serving index.html instead would be misleading.
    if (extname(path) !== '') return throwRouteNotFound(c)
    const index = await findFile(folder, '/index.html')
    return index === null ? htmlResponse(NOT_BUILT) : sendFile(c, index, 'no-cache')
  })
}

interface WebFile {
  path: string
  etag: string
}

async function findFile(folder: string, path: string): Promise<WebFile | null> {
  // Plain names only: no path traversal and no hidden files.
  if (!/^(?:\/[\w-][\w.-]*)+$/.test(path)) return null
  const full = join(folder, path)
  try {
    const info = await stat(full)
    return info.isFile() ? { path: full, etag: `W/"${info.size.toString(36)}-${info.mtimeMs.toString(36)}"` } : null
  } catch {
    return null
  }
}

async function sendFile(c: ApiContext, { path, etag }: WebFile, cacheControl: string): Promise<Response> {
  const headers = {
    'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
    'cache-control': cacheControl,
    'content-security-policy': WEB_APP_CSP,
    etag,
  }
  if (c.req.header('if-none-match') === etag) return new Response(null, { status: 304, headers })
  return new Response(await readFile(path), { headers })
}

function htmlResponse(html: string): Response {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
  return new Response(html, { headers: { ...headers, 'content-security-policy': WEB_APP_CSP } })
}
