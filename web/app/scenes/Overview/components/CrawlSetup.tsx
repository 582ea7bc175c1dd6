import { Card } from '../../../components/display/Card.tsx'
import { type Crawl, useApi } from '../../../server/api.ts'
import { formatSettingValue, settingLabel, toDraft } from '../../../text/crawl-settings.ts'
import { shortUrl } from '../../../text/format.ts'

const SEEDS_SHOWN = 3

/** Where it began and what was set for it; settings that are as usual are left out. */
export function CrawlSetup({ crawl }: { crawl: Crawl }) {
  const settings = useApi('getSettings', {}, { staleTime: Number.POSITIVE_INFINITY })
  const set = (settings.data?.items ?? []).filter(
    (setting) => toDraft(setting, crawl.settings[setting.name]) !== toDraft(setting, setting.default),
  )
  const others = crawl.seeds.length - SEEDS_SHOWN
  return (
    <Card title="Set up" className="flex-1">
      <dl className="grid grid-cols-[8rem_1fr] gap-x-3 gap-y-1">
        <dt className="text-muted">Start urls</dt>
        <dd className="min-w-0 break-words">
          {crawl.seeds.slice(0, SEEDS_SHOWN).map(shortUrl).join(', ')}
          {others > 0 ? ` and ${others} more` : ''}
        </dd>
        {set.map((setting) => (
          <div key={setting.name} className="contents">
            <dt className="text-muted">{settingLabel(setting.name)}</dt>
            <dd className="min-w-0 break-words">
              {formatSettingValue(setting, toDraft(setting, crawl.settings[setting.name]))}
            </dd>
          </div>
        ))}
      </dl>
      {settings.data !== undefined && set.length === 0 ? (
        <p className="mt-1 text-muted">Every setting is as usual.</p>
      ) : null}
    </Card>
  )
}
