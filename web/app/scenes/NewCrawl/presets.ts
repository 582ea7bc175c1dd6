// Presets of the form for a new crawl: the values of the few settings that decide how much of a site is visited.

import type { SettingDrafts } from '../../text/crawl-settings.ts'

export const PRESETS = [
  {
    id: 'site',
    label: 'Whole site',
    help: 'All pages of the host',
    drafts: { scope: 'host', sitemap_only: false, max_pages: '', depth: '' },
  },
  {
    id: 'section',
    label: 'This section',
    help: 'Below the start URL',
    drafts: { scope: 'prefix', sitemap_only: false, max_pages: '', depth: '' },
  },
  {
    id: 'sitemap',
    label: 'Sitemap only',
    help: 'Follows no links',
    drafts: { scope: 'host', sitemap_only: true, max_pages: '', depth: '' },
  },
  {
    id: 'look',
    label: 'Quick look',
    help: 'The first 100 pages',
    drafts: { scope: 'host', sitemap_only: false, max_pages: '100', depth: '' },
  },
] as const satisfies readonly { id: string; label: string; help: string; drafts: SettingDrafts }[]

export type Preset = (typeof PRESETS)[number]

/** The preset that the settings equal; null if they were changed by hand. */
export function findPreset(drafts: SettingDrafts): Preset | null {
  return (
    PRESETS.find((preset) => Object.entries(preset.drafts).every(([name, draft]) => drafts[name] === draft)) ?? null
  )
}
