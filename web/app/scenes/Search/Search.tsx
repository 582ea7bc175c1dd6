import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { IconButton, LinkButton } from '../../components/controls/Button.tsx'
import { Chip } from '../../components/controls/Chip.tsx'
import { Select } from '../../components/controls/Input.tsx'
import { Switch } from '../../components/controls/Switch.tsx'
import { EmptyState, ErrorState } from '../../components/display/EmptyState.tsx'
import { usePageTitle } from '../../components/shell/SceneHeader.tsx'
import { hasErrorCode } from '../../server/api.ts'
import { IndexProgress } from './components/IndexProgress.tsx'
import { PageDrawer } from './components/PageDrawer.tsx'
import { QueryHelp } from './components/QueryHelp.tsx'
import { ResultList } from './components/ResultList.tsx'
import { SearchBox } from './components/SearchBox.tsx'
import { useSearch } from './useSearch.ts'
import { readViewState, type SearchViewState, SORTS, writeViewState } from './view-state.ts'

const SORT_LABELS = { relevance: 'Most relevant', fresh: 'Relevant and recent', newest: 'Newest' } as const

export function Search() {
  const [params, setParams] = useSearchParams()
  const viewState = readViewState(params)
  const update = (change: Partial<SearchViewState>, isHistoryEntry = true): void =>
    setParams((before) => writeViewState({ ...readViewState(before), ...change }), { replace: !isHistoryEntry })
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const search = useSearch(viewState)
  usePageTitle(viewState.q === '' ? 'Search' : `${viewState.q} · Search`)

  return (
    <div className="mx-auto flex max-w-6xl flex-col gap-3 p-4 md:px-6">
      <h1 className="sr-only">Search</h1>
      <div className="flex items-center gap-2">
        <SearchBox query={viewState.q} onSearch={(q) => update({ q, page: null })} />
        <IconButton label="Query syntax" icon="help" tip="left" onClick={() => setIsHelpOpen(true)} />
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="w-40">
          <Select
            aria-label="Sort by"
            value={viewState.sort}
            onChange={(event) => update({ sort: SORTS.find((sort) => sort === event.target.value) ?? 'relevance' })}
          >
            {SORTS.map((sort) => (
              <option key={sort} value={sort}>
                {SORT_LABELS[sort]}
              </option>
            ))}
          </Select>
        </div>
        <Switch
          label="Collapse similar pages"
          isOn={viewState.isFolded}
          onChange={(isFolded) => update({ isFolded })}
        />
        <Switch
          label="Explain ranking"
          isOn={viewState.isExplained}
          onChange={(isExplained) => update({ isExplained })}
        />
        {viewState.crawl === null ? null : (
          <Chip label="crawl filter" onRemove={() => update({ crawl: null })}>
            Crawl: {viewState.crawl}
          </Chip>
        )}
        <IndexProgress />
      </div>
      {viewState.q === '' ? (
        <EmptyState icon="search" title="Search crawled pages">
          Enter some words. The help button beside the search box explains the query syntax. Archived pages are indexed
          while a crawl runs.
        </EmptyState>
      ) : null}
      {search.isError && search.data === undefined ? (
        hasErrorCode(search.error, 'INDEX_OFF') ? (
          <EmptyState icon="search" title="Search is off" action={<LinkButton href="/">View crawls</LinkButton>}>
            This server runs without the indexer role. Start it with that role to index archived pages.
          </EmptyState>
        ) : (
          <ErrorState error={search.error} onRetry={() => void search.refetch()} />
        )
      ) : null}
      {viewState.q === '' || (search.isError && search.data === undefined) ? null : (
        <ResultList
          pages={search.data?.pages ?? null}
          query={viewState.q}
          isStale={search.isPlaceholderData}
          hasMore={search.hasNextPage}
          isFetchingMore={search.isFetchingNextPage}
          onMore={() => void search.fetchNextPage()}
          onQuery={(q) => update({ q, page: null })}
          hrefOf={(page) => `/find?${writeViewState({ ...viewState, page })}`}
        />
      )}
      {viewState.page === null ? null : (
        <PageDrawer
          key={viewState.page}
          pageId={viewState.page}
          onClose={() => update({ page: null })}
          onOpen={(page) => update({ page }, false)}
        />
      )}
      {isHelpOpen ? <QueryHelp onClose={() => setIsHelpOpen(false)} /> : null}
    </div>
  )
}
