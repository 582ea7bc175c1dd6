import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../components/controls/Button.tsx'
import { Combobox } from '../../../components/controls/Combobox.tsx'
import { useDebounced } from '../../../hooks/useDebounced.ts'
import { useShortcuts } from '../../../hooks/useShortcuts.ts'
import { useApi } from '../../../server/api.ts'

const KIND_LABELS = { word: 'Word', title: 'Title' } as const

export function SearchBox({ query, onSearch }: { query: string; onSearch: (query: string) => void }) {
  const [text, setText] = useState(query)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => setText(query), [query])
  useShortcuts([{ keys: '/', label: 'Focus the search box', run: () => input.current?.focus() }])
  const prefix = useDebounced(text.trim(), 150)
  const suggest = useApi(
    'suggest',
    { query: { q: prefix.slice(0, 200) } },
    { enabled: prefix !== '' && prefix !== query, staleTime: 60_000 },
  )
  const isCurrent = prefix !== '' && prefix === text.trim()
  return (
    <search className="min-w-0 flex-1">
      <form
        className="flex gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          onSearch(text.trim())
        }}
      >
        <Combobox
          inputRef={input}
          label="Search crawled pages"
          placeholder='Words, "a phrase", site:example.com'
          className="min-w-0 flex-1"
          value={text}
          items={isCurrent ? (suggest.data?.suggestions ?? []) : []}
          keyOf={(item) => `${item.kind} ${item.text}`}
          render={(item) => (
            <>
              <span className="min-w-0 flex-1 truncate">{item.text}</span>
              <span className="text-xs text-muted">{KIND_LABELS[item.kind]}</span>
            </>
          )}
          onInput={setText}
          onSelect={(item) => {
            setText(item.text)
            onSearch(item.text)
          }}
          onSubmit={() => onSearch(text.trim())}
        />
        <Button type="submit" variant="primary" icon="search">
          Search
        </Button>
      </form>
    </search>
  )
}
