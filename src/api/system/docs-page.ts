// The API documentation: every route with its request and response. Plain HTML without scripts.

import { ERRORS } from '../../lib/errors.ts'
import { escapeHtml } from '../../lib/escape-html.ts'
import { PATHS, type RouteName } from '../contract/paths.ts'
import { isSchema, type Route } from '../contract/route.ts'
import { ROUTES } from '../contract/routes.ts'
import { openApiDocument } from './openapi.ts'

type Json = Record<string, unknown>

export const DOCS_CSP = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'"

export const DOCS_STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 0 auto; padding: 1.5rem }
h2 { margin-top: 2.5rem; font-size: 1.1rem; border-top: 1px solid #8884; padding-top: 1rem }
code, pre { font: 0.875rem/1.5 ui-monospace, monospace }
pre { overflow: auto; padding: 0.75rem; background: #8882; border-radius: 6px; max-height: 24rem }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0 }
nav { columns: 2; font-size: 0.875rem }
nav a { display: block }
a { color: inherit }
.scope { opacity: 0.75 }
`

export function docsPage(version: string): string {
  const document = openApiDocument(version)
  const paths = document['paths'] as Record<string, Record<string, Json>>
  const names = Object.keys(PATHS) as RouteName[]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Orbweaver API</title>
<link rel="stylesheet" href="/api/docs.css">
</head>
<body>
<h1>Orbweaver API</h1>
<p>Version ${escapeHtml(version)}. The machine-readable version is <a href="/api/v1/openapi.json">openapi.json</a>.
Send a token as <code>Authorization: Bearer</code>, if the server requires one. Errors are problem+json with a code from
the <a href="#errors">list of errors</a> below.</p>
<nav>${names.map((name) => `<a href="#${name}"><code>${escapeHtml(PATHS[name])}</code></a>`).join('\n')}</nav>
${names.map((name) => routeSection(name, paths)).join('\n')}
<h2 id="errors">Errors</h2>
<table><tr><th>Code</th><th>Status</th><th>Meaning</th></tr>
${Object.entries(ERRORS)
  .map(
    ([code, { http, help }]) =>
      `<tr id="${code.toLowerCase()}"><td><code>${code}</code></td><td>${http}</td><td>${escapeHtml(help)}</td></tr>`,
  )
  .join('\n')}
</table>
</body>
</html>
`
}

function routeSection(name: RouteName, paths: Record<string, Record<string, Json>>): string {
  const route: Route = ROUTES[name]
  const [method = '', path = ''] = PATHS[name].split(' ')
  const operation = paths[path]?.[method.toLowerCase()] ?? {}
  const parameters = (operation['parameters'] ?? []) as Json[]
  const scope = route.isOpen === true ? 'no token needed' : `scope ${route.scope}`
  return `<h2 id="${name}"><code>${escapeHtml(PATHS[name])}</code></h2>
<p>${escapeHtml(route.summary)}. <span class="scope">(${name}, ${scope})</span></p>
${parameters.length === 0 ? '' : `<table>${parameters.map(parameterRow).join('\n')}</table>`}
${route.body === undefined ? '' : `<details><summary>Body</summary>${schemaBlock(bodySchema(operation))}</details>`}
${isSchema(route.response) ? `<details><summary>Response</summary>${schemaBlock(responseSchema(operation))}</details>` : ''}`
}

function parameterRow({ name, in: location, required, description, schema }: Json): string {
  const { type, enum: choices, default: fallback } = schema as Json
  const kind = Array.isArray(choices) ? choices.join(' | ') : String(type ?? 'text')
  const notes = [
    required === true ? 'required' : '',
    description ?? '',
    fallback === undefined ? '' : `default ${fallback}`,
  ]
  return `<tr><td><code>${escapeHtml(String(name))}</code></td><td>${escapeHtml(String(location))}</td><td>${escapeHtml(kind)}</td><td>${escapeHtml(notes.filter(Boolean).join('; '))}</td></tr>`
}

function bodySchema(operation: Json): unknown {
  return getPath(operation, ['requestBody', 'content', 'application/json', 'schema'])
}

function responseSchema(operation: Json): unknown {
  const responses = operation['responses'] as Json
  const status = Object.keys(responses).find((code) => code.startsWith('2')) ?? '200'
  return getPath(responses, [status, 'content', 'application/json', 'schema'])
}

function getPath(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => (inner as Json | undefined)?.[key], value)
}

function schemaBlock(schema: unknown): string {
  return `<pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre>`
}
