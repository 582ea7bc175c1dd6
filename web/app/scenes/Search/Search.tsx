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

const SORT_LABELS = { relevance: 'Best first', fresh: 'Fresh and good', newest: 'Newest first' } as const

export function Search() {
  const [params, setParams] = useSearchParams()
  const place = readViewState(params)
  const go = (change: Partial<SearchViewState>, isStep = true): void =>
    setParams((before) => writeViewState({ ...readViewState(before), ...change }), { replace: !isStep })
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const search = useSearch(place)
  usePageTitle(place.q === '' ? 'Search' : `${place.q} · Search`)

  return (
    <div className="mx-auto flex max-w-6xl flex-col gap-3 p-4 md:px-6">
      <h1 className="sr-only">Search</h1>
      <div className="flex items-center gap-2">
        <SearchBox query={place.q} onSearch={(q) => go({ q, page: null })} />
        <IconButton label="What a query can say" icon="help" tip="left" onClick={() => setIsHelpOpen(true)} />
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="w-40">
          <Select
            aria-label="Order"
            value={place.sort}
            onChange={(event) => go({ sort: SORTS.find((sort) => sort === event.target.value) ?? 'relevance' })}
          >
            {SORTS.map((sort) => (
              <option key={sort} value={sort}>
                {SORT_LABELS[sort]}
              </option>
            ))}
          </Select>
        </div>
        <Switch label="Fold similar pages" isOn={place.isFolded} onChange={(isFolded) => go({ isFolded })} />
        <Switch label="Explain the order" isOn={place.isExplained} onChange={(isExplained) => go({ isExplained })} />
        {place.crawl === null ? null : (
          <Chip label="the crawl" onRemove={() => go({ crawl: null })}>
            crawl {place.crawl}
          </Chip>
        )}
        <IndexProgress />
      </div>
      {place.q === '' ? (
        <EmptyState icon="search" title="Search what was crawled">
          Kept pages are indexed while a crawl runs. Type some words, or press the question mark for what a query can
          say.
        </EmptyState>
      ) : null}
      {search.isError && search.data === undefined ? (
        hasErrorCode(search.error, 'INDEX_OFF') ? (
          <EmptyState icon="search" title="There is no index" action={<LinkButton href="/">To the crawls</LinkButton>}>
            This server runs without the indexer. Start it with the role indexer, and kept pages are indexed.
          </EmptyState>
        ) : (
          <ErrorState error={search.error} onRetry={() => void search.refetch()} />
        )
      ) : null}
      {place.q === '' || (search.isError && search.data === undefined) ? null : (
        <ResultList
          pages={search.data?.pages ?? null}
          query={place.q}
          isStale={search.isPlaceholderData}
          hasMore={search.hasNextPage}
          isFetchingMore={search.isFetchingNextPage}
          onMore={() => void search.fetchNextPage()}
          onQuery={(q) => go({ q, page: null })}
          onOpen={(page) => go({ page })}
        />
      )}
      {place.page === null ? null : (
        <PageDrawer
          key={place.page}
          pageId={place.page}
          onClose={() => go({ page: null })}
          onOpen={(page) => go({ page }, false)}
        />
      )}
      {isHelpOpen ? <QueryHelp onClose={() => setIsHelpOpen(false)} /> : null}
    </div>
  )
}
