// The extractors that `npm run bench:content` compares. Other programs read a file with one page per line and write one
// result per line: { html } or { text }.

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contentOfHtml, toMarkdown } from '../../src/engine/content/page-content.ts'
import type { Workspace } from '../../test/testing/workspace.ts'
import { textOfHtml } from './html-text.ts'
import type { JudgedPage } from './main-markers.ts'

const peers = fileURLToPath(new URL('../peers', import.meta.url))

export interface Extraction {
  texts: string[]
  cpuMs: number
}

export type Extractor = (pages: readonly JudgedPage[], workspace: Workspace) => Extraction

/** `python`: an interpreter that has trafilatura; null leaves it out. */
export function findExtractors(python: string | null): [name: string, extract: Extractor][] {
  return [
    ['orbweaver', extractMarkdown],
    ['Readability', runPeer(process.execPath, 'extract-readability.mjs')],
    ['Defuddle', runPeer(process.execPath, 'extract-defuddle.mjs')],
    ...(python === null
      ? []
      : ([
          ['trafilatura', runPeer(python, 'extract_trafilatura.py')],
          ['trafilatura, recall', runPeer(python, 'extract_trafilatura.py', 'recall')],
        ] satisfies [string, Extractor][])),
  ]
}

/** The Markdown is rendered by another program, so that only what readers see counts. */
function extractMarkdown(pages: readonly JudgedPage[], workspace: Workspace): Extraction {
  const before = process.cpuUsage()
  const markdown = pages.map(({ html, url }) => toMarkdown(contentOfHtml(html, url)))
  const { user, system } = process.cpuUsage(before)
  const { texts } = run(
    process.execPath,
    ['render-markdown.mjs'],
    markdown.map((text) => ({ markdown: text })),
    workspace,
  )
  return { texts, cpuMs: (user + system) / 1000 }
}

function runPeer(program: string, script: string, ...args: string[]): Extractor {
  return (pages, workspace) =>
    run(
      program,
      [script, ...args],
      pages.map(({ url, html }) => ({ url, html })),
      workspace,
    )
}

interface PeerResult {
  html?: string
  text?: string
  /** Set in the last line only. */
  cpu_ms?: number
}

function run(program: string, [script = '', ...args]: string[], input: object[], workspace: Workspace): Extraction {
  const file = workspace.file(`${script}.jsonl`)
  writeFileSync(file, input.map((page) => `${JSON.stringify(page)}\n`).join(''))
  const { stdout, stderr, status } = spawnSync(program, [join(peers, script), file, ...args], {
    cwd: peers,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  })
  if (status !== 0) throw new Error(`${script} failed: ${stderr.slice(-2000)}`)
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as PeerResult)
  const cpuMs = lines.pop()?.cpu_ms ?? 0
  if (lines.length !== input.length)
    throw new Error(`${script} wrote ${lines.length} results for ${input.length} pages.`)
  return { texts: lines.map(({ html, text }) => (html === undefined ? (text ?? '') : textOfHtml(html))), cpuMs }
}
