// Settings of a crawl: what it extracts from pages.

import { extractRules } from '../extract-kind.ts'
import { crawlSetting, setting } from '../setting.ts'
import { onOff } from '../setting-kinds.ts'

export const DATA_SETTINGS = {
  extract: crawlSetting(
    setting(
      extractRules(),
      [],
      'Extract fields from HTML pages by the rules in a JSON file, such as {"name": "price", "selector": ".price", "type": "number"}; repeatable.',
    ),
    { label: 'Extracted fields' },
  ),
  structuredData: crawlSetting(
    setting(
      onOff(),
      false,
      'Store the structured data of HTML pages: JSON-LD, microdata, RDFa, Open Graph, tables and linked feeds.',
    ),
    { label: 'Structured data' },
  ),
} as const
