import { type KeyboardEvent, useId, useState } from 'react'
import { useLocation } from 'wouter'
import { NAV_ITEMS } from '../../page/navigation.ts'
import { type Shortcut, shortcutStore } from '../../page/shortcuts.ts'
import { useStore } from '../../page/store.ts'
import { useApi } from '../../server/api.ts'
import { shortUrl } from '../../text/format.ts'
import { CRAWL_STATUS_STYLES } from '../../text/states.ts'
import { Input } from '../controls/Input.tsx'
import { Kbd } from '../display/Kbd.tsx'
import { Dialog } from './Dialog.tsx'

interface Command {
  id: string
  label: string
  hint: string
  run: () => void
}

/** Finds a scene, a crawl or an action by a few letters. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [selected, setSelected] = useState(0)
  const listId = useId()
  const commands = useCommands(text).slice(0, 12)
  const current = Math.min(selected, Math.max(0, commands.length - 1))

  const run = (command: Command | undefined): void => {
    if (command === undefined) return
    onClose()
    command.run()
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setSelected(Math.min(current + 1, commands.length - 1))
    else if (event.key === 'ArrowUp') setSelected(Math.max(current - 1, 0))
    else if (event.key === 'Enter') run(commands[current])
    else return
    event.preventDefault()
  }

  return (
    <Dialog title="Command palette" onClose={onClose}>
      <Input
        autoFocus
        role="combobox"
        aria-label="Search commands and crawls"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={commands[current] === undefined ? undefined : `${listId}-${current}`}
        placeholder="Search commands and crawls"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setSelected(0)
        }}
        onKeyDown={onKey}
      />
      <div id={listId} role="listbox" aria-label="Matches" className="mt-2 flex min-h-40 flex-col">
        {commands.map((command, i) => (
          <div
            key={command.id}
            id={`${listId}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === current}
            onClick={() => run(command)}
            onKeyDown={onKey}
            className={`flex h-8 cursor-pointer items-center justify-between gap-2 rounded px-2 ${i === current ? 'bg-accent-soft' : 'hover:bg-hover'}`}
          >
            <span className="truncate">{command.label}</span>
            <span className="shrink-0 text-xs text-muted">
              {command.hint.length <= 5 ? <Kbd keys={command.hint} /> : command.hint}
            </span>
          </div>
        ))}
      </div>
      {commands.length === 0 ? <p className="px-2 text-muted">No matches.</p> : null}
    </Dialog>
  )
}

function useCommands(text: string): Command[] {
  const [, navigate] = useLocation()
  const groups = useStore(shortcutStore)
  const crawls = useApi('listCrawls', { query: { limit: 50 } })
  const wanted = text.trim().toLowerCase()
  const scenes = NAV_ITEMS.map((item) => ({
    id: item.href,
    label: item.label,
    hint: item.keys,
    run: () => navigate(item.href),
  }))
  const actions = groups
    .flat()
    .filter(({ keys }) => !NAV_ITEMS.some((item) => item.keys === keys) && keys !== 'mod+k')
    .map(({ keys, label, run }: Shortcut) => ({ id: `key ${keys}`, label, hint: keys, run }))
  const recentCrawls = (crawls.data?.items ?? []).map((crawl) => ({
    id: crawl.crawl_id,
    label: shortUrl(crawl.root_url),
    hint: CRAWL_STATUS_STYLES[crawl.status].label,
    run: () => navigate(`/crawls/${crawl.crawl_id}`),
  }))
  return [...scenes, ...actions, ...recentCrawls].filter(({ label, id }) =>
    `${label} ${id}`.toLowerCase().includes(wanted),
  )
}
