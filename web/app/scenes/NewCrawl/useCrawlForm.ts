import { useState } from 'react'
import { type Crawl, useApi } from '../../server/api.ts'
import {
  changedValues,
  type SettingDraft,
  type SettingDrafts,
  settingDefaults,
  splitLines,
  toDraft,
} from '../../text/crawl-settings.ts'
import type { CrawlFix, NewCrawlBody } from './useCrawlCheck.ts'

export interface StartUrlsInput {
  url: string
  /** Further start URLs, one per line. */
  more: string
}

export interface InitialForm {
  url: string
  /** A private address that the crawl may visit. */
  allow: string | null
  /** The crawl to run again with changes. */
  from: Crawl | null
}

/** The content of the form, and the request that it results in. */
export function useCrawlForm({ url, allow, from }: InitialForm) {
  const settings = useApi('getSettings', {}, { staleTime: Number.POSITIVE_INFINITY })
  const [start, setStart] = useState<StartUrlsInput>(() =>
    from === null ? { url, more: '' } : { url: from.seeds[0] ?? '', more: from.seeds.slice(1).join('\n') },
  )
  const [typed, setTyped] = useState((): SettingDrafts => {
    if (allow === null) return {}
    const allowed = (from?.settings['allow'] as string[] | undefined) ?? []
    return { allow: [...allowed, allow].join('\n') }
  })
  const infos = settings.data?.items ?? []
  const base = from?.settings ?? settingDefaults(infos)
  const drafts: SettingDrafts = Object.fromEntries(
    infos.map((setting) => [setting.name, typed[setting.name] ?? toDraft(setting, base[setting.name])]),
  )
  const setDraft = (name: string, draft: SettingDraft): void => setTyped((before) => ({ ...before, [name]: draft }))
  const applyFix = (fix: CrawlFix): void => {
    if (fix.kind === 'allow') {
      setDraft('allow', [...splitLines(String(drafts['allow'] ?? '')), fix.address].join('\n'))
    } else {
      const replace = (text: string): string => (text.trim() === fix.given.trim() ? fix.url : text)
      setStart({ url: replace(start.url), more: start.more.split('\n').map(replace).join('\n') })
    }
  }
  return {
    settings,
    infos,
    start,
    setStart,
    drafts,
    setDraft,
    setDrafts: (drafts: SettingDrafts) => setTyped((before) => ({ ...before, ...drafts })),
    applyFix,
    /** Settings that are not at the default of the server. */
    customized: changedValues(infos, drafts, settingDefaults(infos)),
    body: toRequestBody(start, changedValues(infos, typed, base), from),
  }
}

export type CrawlForm = ReturnType<typeof useCrawlForm>

function toRequestBody(
  { url, more }: StartUrlsInput,
  settings: Record<string, unknown>,
  from: Crawl | null,
): NewCrawlBody {
  const others = splitLines(more)
  return {
    ...(others.length === 0 ? { url: url.trim() } : { urls: [url.trim(), ...others] }),
    ...(from === null ? {} : { from: from.crawl_id }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  }
}
