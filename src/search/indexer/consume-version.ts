// Passes a version that the indexer has read to the consumers that want it.

import type { PageReaderDependencies } from '../../engine/pages/read-archived-page.ts'
import { readHtml } from '../../engine/parse/html-reader.ts'
import type { PageVersion } from '../../ports/pages.ts'
import type { VersionConsumer, VersionContent } from '../../ports/versions.ts'
import type { PageSource } from '../analyse/analyser.ts'
import { type PageSourceResult, readSource } from './page-source.ts'

export interface ConsumeDependencies {
  consumers: readonly VersionConsumer[]
  reading: PageReaderDependencies
}

export interface ReadVersion {
  result: Exclude<PageSourceResult, { isUnavailable: true }>
  /** The visible text, if it is known already. */
  text: string | null
}

const NO_LINKS = 0

/** False if the content is unavailable now, so that the version has to be offered again. */
export async function consumeVersion(
  version: PageVersion,
  { result, text }: ReadVersion,
  { consumers, reading }: ConsumeDependencies,
): Promise<boolean> {
  const interested = consumers.filter((consumer) => consumer.wants(version))
  if (interested.length === 0) return true
  const isOptedOut = 'leftOut' in result && result.leftOut === 'noindex'
  const source = isOptedOut ? await readSource(version, reading) : result
  if ('isUnavailable' in source) return false
  if ('leftOut' in source) return true
  const content = toVersionContent(source.source, text)
  for (const consumer of interested) await consumer.examine(version, content)
  return true
}

function toVersionContent(source: PageSource, knownText: string | null): VersionContent {
  const html = 'html' in source ? source.html : null
  let text: string | null = 'extracted' in source ? source.extracted.text : knownText
  return {
    html,
    text() {
      text ??= readHtml(html ?? '', true, null, NO_LINKS).text
      return text
    },
  }
}
