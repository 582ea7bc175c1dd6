import { Card } from '../../../components/display/Card.tsx'
import { type Crawl, useApi } from '../../../server/api.ts'
import { formatSettingValue, toDraft } from '../../../text/crawl-settings.ts'
import { formatDateTime, shortUrl } from '../../../text/format.ts'

const SEEDS_SHOWN = 3
const RUNS_SHOWN = 3

/** The start URLs and the settings that differ from their defaults. */
export function CrawlSetup({ crawl }: { crawl: Crawl }) {
  const settings = useApi('getSettings', {}, { staleTime: Number.POSITIVE_INFINITY })
  const customized = (settings.data?.items ?? []).filter(
    (setting) => toDraft(setting, crawl.settings[setting.name]) !== toDraft(setting, setting.default),
  )
  const others = crawl.seeds.length - SEEDS_SHOWN
  return (
    <Card title="Configuration" className="flex-1">
      <dl className="grid grid-cols-[10rem_1fr] gap-x-3 gap-y-1">
        <dt className="text-muted">Start URLs</dt>
        <dd className="min-w-0 break-words">
          {crawl.seeds.slice(0, SEEDS_SHOWN).map(shortUrl).join(', ')}
          {others > 0 ? ` and ${others} more` : ''}
        </dd>
        {customized.map((setting) => (
          <div key={setting.name} className="contents">
            <dt className="text-muted">{setting.label}</dt>
            <dd className="min-w-0 break-words">
              {formatSettingValue(setting, toDraft(setting, crawl.settings[setting.name]))}
            </dd>
          </div>
        ))}
        {crawl.next_runs.length === 0 ? null : (
          <>
            <dt className="text-muted">Next runs</dt>
            <dd className="min-w-0">
              <ul>
                {crawl.next_runs.slice(0, RUNS_SHOWN).map((at) => (
                  <li key={at}>
                    <time dateTime={at}>{formatDateTime(new Date(at))}</time>
                  </li>
                ))}
              </ul>
            </dd>
          </>
        )}
      </dl>
      {settings.data !== undefined && customized.length === 0 ? (
        <p className="mt-1 text-muted">All settings are at their defaults.</p>
      ) : null}
    </Card>
  )
}
