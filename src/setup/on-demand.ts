// The parts of the crawler and of rendering that API handlers need, loaded on first use.

import type { ApiDependencies } from '../api/handlers.ts'
import type { Config } from '../config/schema.ts'
import { asAppError } from '../lib/errors.ts'

export const loadFilterLists: ApiDependencies['loadFilterLists'] = async (files) => {
  const { loadFilterFiles } = await import('../worker/threads/build-fetcher.ts')
  return loadFilterFiles(files)
}

export const openFetcher: ApiDependencies['openFetcher'] = async (settings, startUrls) => {
  const { buildFetcher } = await import('../worker/threads/build-fetcher.ts')
  return buildFetcher(settings, startUrls)
}

/** Why this machine cannot render pages; null if it can. */
export async function findRenderProblem({ browser }: Pick<Config, 'browser'>): Promise<string | null> {
  const { findBrowser } = await import('../render/find-browser.ts')
  return findBrowser(browser).then(
    () => null,
    (error: unknown) => asAppError(error).message,
  )
}
