// All rules of an audit, in the order in which they are shown.

import type { Rule } from './rule.ts'
import { brokenLinks } from './rules/broken-links.ts'
import { canonicalConflicts } from './rules/canonical-conflicts.ts'
import { deepPages } from './rules/deep-pages.ts'
import { duplicateDescriptions } from './rules/duplicate-descriptions.ts'
import { duplicatePages } from './rules/duplicate-pages.ts'
import { duplicateTitles } from './rules/duplicate-titles.ts'
import { hreflangErrors } from './rules/hreflang-errors.ts'
import { imagesWithoutAlt } from './rules/images-without-alt.ts'
import { javascriptPages } from './rules/javascript-pages.ts'
import { largePages } from './rules/large-pages.ts'
import { linkedNoindex } from './rules/linked-noindex.ts'
import { linksToRedirects } from './rules/links-to-redirects.ts'
import { longDescriptions } from './rules/long-descriptions.ts'
import { longTitles } from './rules/long-titles.ts'
import { missingDescriptions } from './rules/missing-descriptions.ts'
import { missingH1 } from './rules/missing-h1.ts'
import { missingTitles } from './rules/missing-titles.ts'
import { mixedContent } from './rules/mixed-content.ts'
import { nearDuplicatePages } from './rules/near-duplicate-pages.ts'
import { notInSitemap } from './rules/not-in-sitemap.ts'
import { orphanPages } from './rules/orphan-pages.ts'
import { redirectChains } from './rules/redirect-chains.ts'
import { redirectLoops } from './rules/redirect-loops.ts'
import { securityHeaders } from './rules/security-headers.ts'
import { severalH1 } from './rules/several-h1.ts'
import { slowPages } from './rules/slow-pages.ts'
import { statusChanges } from './rules/status-changes.ts'

export const RULES: readonly Rule[] = [
  brokenLinks,
  redirectLoops,
  mixedContent,
  redirectChains,
  canonicalConflicts,
  duplicatePages,
  missingTitles,
  duplicateTitles,
  orphanPages,
  hreflangErrors,
  imagesWithoutAlt,
  slowPages,
  statusChanges,
  linksToRedirects,
  nearDuplicatePages,
  longTitles,
  missingDescriptions,
  duplicateDescriptions,
  longDescriptions,
  missingH1,
  severalH1,
  linkedNoindex,
  notInSitemap,
  deepPages,
  largePages,
  javascriptPages,
  securityHeaders,
]

export const RULE_NAMES: readonly string[] = RULES.map(({ name }) => name)
