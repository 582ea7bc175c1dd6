// Extracts own fields and structured data from the HTML of a page.

import { setImmediate as turn } from 'node:timers/promises'
import type { ExtractRule } from '../../config/values/extract-rules.ts'
import type { PageData } from '../../ports/pages.ts'
import { parseTreeInSteps } from '../parse/bounded-tree.ts'
import { readHtml } from '../parse/html-reader.ts'
import { toPageTree } from '../select/page-tree.ts'
import { resolveBaseUrl } from '../url/normalise-url.ts'
import { type CompiledRule, compileRules, type ExtractedField, type FieldContext, readFields } from './read-fields.ts'
import { readStructuredData } from './structured/read-structured-data.ts'

/** Settings of what is extracted from pages. */
export interface Extraction {
  rules: readonly CompiledRule[]
  structuredData: boolean
}

/** Extracts the data that the settings of a crawl name. Pauses between the steps of a long page. */
export interface PageExtractor {
  extract(html: string, context: FieldContext): Generator<null, ExtractedPage, void>
}

/** Part of the note of a version that is too large or too deeply nested for a tree. */
const TOO_LARGE_NOTE = 'too_large_to_extract'
/** Followed by the names of required fields that a page does not have. */
const MISSING_NOTE = 'missing_fields'

export function makePageExtractor(extract: readonly ExtractRule[], structuredData: boolean): PageExtractor {
  const extraction = { rules: compileRules(extract), structuredData }
  return { extract: (html, context) => extractPage(html, extraction, context) }
}

export interface ExtractedPage {
  /** Null if nothing was extracted. */
  data: PageData | null
  /** Fields with the elements and texts they come from. */
  fields: ReadonlyMap<string, ExtractedField>
  /** Text for the note of the version. */
  note: string | null
}

function* extractPage(
  html: string,
  { rules, structuredData }: Extraction,
  context: FieldContext,
): Generator<null, ExtractedPage, void> {
  const isWanted = structuredData || rules.some(({ mayMatch }) => mayMatch(html))
  const document = isWanted ? yield* parseTreeInSteps(html, { withPlaces: rules.length > 0 }) : null
  const tree = document === null || rules.length === 0 ? null : toPageTree(document, html)
  const fields = yield* readFields(rules, tree, context)
  const missing = rules.flatMap(({ name, required }) => (required && isMissing(fields.get(name)) ? [name] : []))
  const structured = structuredData && document !== null ? readStructuredData(document, html, context.baseUrl) : null
  const hasData = rules.length > 0 || structured !== null
  const named = Object.fromEntries([...fields].map(([name, { value }]) => [name, value]))
  return {
    data: hasData ? { fields: rules.length === 0 ? null : named, missing, structured_data: structured } : null,
    fields,
    note: noteOf(isWanted && document === null, missing),
  }
}

/** A single page with the language and base URL that it names. Other tasks of the thread run between its steps. */
export async function extractInTurns(html: string, url: string, extraction: Extraction): Promise<ExtractedPage> {
  const { lang, baseHref } = readHtml(html, false, null, 0)
  const steps = extractPage(html, extraction, { lang: lang || null, baseUrl: resolveBaseUrl(baseHref, url) })
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await turn()
  }
}

function isMissing(field: ExtractedField | undefined): boolean {
  const value = field?.value ?? null
  return value === null || (Array.isArray(value) && value.length === 0)
}

function noteOf(isTooLarge: boolean, missing: readonly string[]): string | null {
  if (isTooLarge) return TOO_LARGE_NOTE
  return missing.length === 0 ? null : `${MISSING_NOTE}: ${missing.join(', ')}`
}
