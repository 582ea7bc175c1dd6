import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { ApiError, client, messageOf, useApi } from '../../api.ts'
import { Button, LinkButton } from '../../components/Button.tsx'
import { EmptyState, ErrorState } from '../../components/EmptyState.tsx'
import { SampleSiteButton } from '../../components/SampleSite.tsx'
import { SceneHeader } from '../../components/SceneHeader.tsx'
import { SkeletonRows } from '../../components/Skeleton.tsx'
import { useMay } from '../../hooks/useMay.ts'
import { changedValues, type Drafts, defaultsOf, linesOf, problemOf } from '../../settings.ts'
import { SettingGroups } from './components/SettingGroups.tsx'
import { type Start, StartUrls } from './components/StartUrls.tsx'
import { type NewCrawlBody, useCrawlCheck } from './useCrawlCheck.ts'

export function NewCrawl() {
  return useMay('crawl') ? (
    <NewCrawlForm />
  ) : (
    <>
      <SceneHeader title="New crawl" />
      <EmptyState icon="info" title="Your token may not start crawls" action={<LinkButton href="/">Crawls</LinkButton>}>
        It has the scope read. Sign out in Settings to sign in with a token that has the scope crawl.
      </EmptyState>
    </>
  )
}

function NewCrawlForm() {
  const [query] = useSearchParams()
  const settings = useApi('getSettings', {}, { staleTime: Number.POSITIVE_INFINITY })
  const [start, setStart] = useState<Start>({ url: query.get('url') ?? '', more: '' })
  const [drafts, setDrafts] = useState<Drafts>({})
  const known = settings.data?.items ?? []
  const changed = changedValues(known, drafts, defaultsOf(known))
  const body = bodyOf(start, changed)
  const check = useCrawlCheck(body)
  const create = useCreate(body)
  // Problems of fields stand beside them.
  const problems = create.refused.length > 0 ? create.refused : check.problems
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate()
  }

  return (
    <>
      <SceneHeader title="New crawl" />
      <form onSubmit={submit} onChange={create.reset} className="flex max-w-4xl flex-col gap-3 px-4 pb-24 md:px-6">
        <StartUrls
          start={start}
          onChange={setStart}
          problem={body.url === '' ? undefined : (problemOf(problems, 'url') ?? problemOf(problems, 'urls'))}
          body={body}
          isReady={check.isGood}
        />
        {settings.error === null ? null : <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />}
        {settings.isPending ? <SkeletonRows /> : null}
        <SettingGroups
          settings={known}
          drafts={drafts}
          changed={changed}
          problems={problems}
          onChange={(name, draft) => setDrafts({ ...drafts, [name]: draft })}
        />
        {create.isError && create.refused.length === 0 ? (
          <p role="alert" className="text-bad">
            {messageOf(create.error)}
          </p>
        ) : null}
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" look="primary" icon="play" disabled={create.isPending || !check.isGood}>
            Start crawl
          </Button>
          <LinkButton href="/">Back</LinkButton>
          <span role="status" className="text-muted">
            {check.text}
          </span>
          {body.url === '' ? <SampleSiteButton isQuiet label="or crawl the sample site" /> : null}
        </div>
      </form>
    </>
  )
}

function useCreate(body: NewCrawlBody) {
  const [, navigate] = useLocation()
  const create = useMutation({
    mutationFn: () => client.createCrawl({ body }),
    onSuccess: (crawl) => navigate(`/crawls/${crawl.crawl_id}`),
  })
  return { ...create, refused: create.error instanceof ApiError ? create.error.fields : [] }
}

function bodyOf({ url, more }: Start, settings: Record<string, unknown>): NewCrawlBody {
  const others = linesOf(more)
  const seeds = others.length === 0 ? { url: url.trim() } : { urls: [url.trim(), ...others] }
  return Object.keys(settings).length === 0 ? seeds : { ...seeds, settings }
}
