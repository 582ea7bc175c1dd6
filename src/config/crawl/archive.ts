// Settings of a crawl: which responses it archives, and for how long.

import { crawlSetting, setting } from '../setting.ts'
import { oneOf, onOff, patterns, sizeCaps, wholeNumber } from '../setting-kinds.ts'

const GIB = 1024 ** 3

export const ARCHIVE_SETTINGS = {
  archive: crawlSetting(
    setting(oneOf(['all', 'html', 'none']), 'all', 'Responses to archive: all, only visited HTML pages, or none.'),
    { label: 'Archived responses', choiceLabels: { all: 'All', html: 'HTML pages', none: 'None' } },
  ),
  requisites: crawlSetting(
    setting(
      onOff(),
      false,
      'Also archive the images, style sheets, fonts and scripts of visited HTML pages, from any host. They do not count as pages.',
    ),
    { label: 'Page requisites' },
  ),
  archiveMax: crawlSetting(
    setting(
      sizeCaps(0, GIB),
      [],
      'Do not archive larger responses: of any type (5m) or of one (application/pdf=20m, image/*=1m); repeatable. 0: no limit besides --max-body.',
    ),
    { label: 'Max archived size' },
  ),
  archiveInclude: crawlSetting(
    setting(
      patterns(),
      [],
      'Archive only URLs that match one of these patterns; repeatable. To select a host: ^https?://docs\\.example\\.com/.',
    ),
    { label: 'Archive include patterns' },
  ),
  archiveExclude: crawlSetting(
    setting(
      patterns(),
      [],
      'Do not archive URLs that match one of these patterns; repeatable. To select a host: ^https?://ads\\.example\\.com/.',
    ),
    { label: 'Archive exclude patterns' },
  ),
  archiveRequests: crawlSetting(
    setting(
      oneOf(['off', 'masked', 'full']),
      'off',
      'Archive the request line and headers with each response: masked hides the values of --header and of other headers that may be secret.',
    ),
    { label: 'Archived requests', choiceLabels: { off: 'Off', masked: 'Masked', full: 'Full' }, needsAdmin: true },
  ),
  skipNearDuplicates: crawlSetting(
    setting(onOff(), false, 'Do not archive pages whose text is nearly the same as that of an archived page.'),
    { label: 'Skip near-duplicates' },
  ),
  keep: crawlSetting(
    setting(wholeNumber(0, 36_500, 'DAYS'), 1826, 'How long to keep archived pages; 0 keeps them forever.'),
    {
      label: 'Retention',
      storedAs: 'keepDays',
      isChangeable: true,
      toStored: (days: number) => (days === 0 ? null : days),
      fromStored: (days: number | null) => days ?? 0,
    },
  ),
} as const
