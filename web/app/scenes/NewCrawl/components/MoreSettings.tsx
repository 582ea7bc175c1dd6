import { useEffect, useState } from 'react'
import { ToggleChip } from '../../../components/controls/Chip.tsx'
import { Input } from '../../../components/controls/Input.tsx'
import { Badge } from '../../../components/display/Badge.tsx'
import { findFieldProblem, groupSettings, searchSettings } from '../../../text/crawl-settings.ts'
import { formatNumber } from '../../../text/format.ts'
import type { CrawlProblem } from '../useCrawlCheck.ts'
import type { CrawlForm } from '../useCrawlForm.ts'
import { SettingGroup } from './SettingGroup.tsx'

/** All settings in groups, with a search. Closed at first; a problem opens it. */
export function MoreSettings({ form, problems }: { form: CrawlForm; problems: readonly CrawlProblem[] }) {
  const { infos, customized } = form
  const [isOpen, setIsOpen] = useState(false)
  const [text, setText] = useState('')
  const [isChangedOnly, setIsChangedOnly] = useState(false)
  const changes = Object.keys(customized).length
  const hasProblem = infos.some(({ name }) => findFieldProblem(problems, name) !== undefined)
  useEffect(() => {
    if (hasProblem) setIsOpen(true)
  }, [hasProblem])
  const found = searchSettings(infos, text).filter(({ name }) => !isChangedOnly || name in customized)
  const isFiltered = text.trim() !== '' || isChangedOnly
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="mb-3 w-fit rounded px-1 py-1 font-medium hover:text-accent">
        More settings{' '}
        {changes === 0 ? (
          <span className="font-normal text-muted">All at their defaults</span>
        ) : (
          <Badge tone="accent">{formatNumber(changes)} not default</Badge>
        )}
      </summary>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <Input
            type="search"
            aria-label="Search settings"
            placeholder="Search settings"
            className="max-w-72"
            value={text}
            onChange={(event) => setText(event.target.value)}
            // Enter would start the crawl.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
          <ToggleChip isOn={isChangedOnly} onChange={setIsChangedOnly}>
            Not default <span>{changes}</span>
          </ToggleChip>
        </div>
        {found.length === 0 ? (
          <p className="text-muted">{isChangedOnly ? 'All settings are at their defaults.' : 'No setting matches.'}</p>
        ) : null}
        {groupSettings(found).map((group) => (
          <SettingGroup key={group.title} group={group} form={form} problems={problems} isFiltered={isFiltered} />
        ))}
      </div>
    </details>
  )
}
