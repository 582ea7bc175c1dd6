import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { Button, LinkButton } from '../../components/controls/Button.tsx'
import { SampleSiteButton } from '../../components/crawl/SampleSiteButton.tsx'
import { EmptyState, ErrorState } from '../../components/display/EmptyState.tsx'
import { SkeletonRows } from '../../components/display/Skeleton.tsx'
import { SceneHeader } from '../../components/shell/SceneHeader.tsx'
import { useHasScope } from '../../hooks/useHasScope.ts'
import { ApiError, client, errorMessage, useApi } from '../../server/api.ts'
import {
  changedValues,
  findFieldProblem,
  type SettingDrafts,
  settingDefaults,
  splitLines,
} from '../../text/crawl-settings.ts'
import { SettingGroups } from './components/SettingGroups.tsx'
import { StartUrls, type StartUrlsInput } from './components/StartUrls.tsx'
import { type NewCrawlBody, useCrawlCheck } from './useCrawlCheck.ts'

export function NewCrawl() {
  return useHasScope('crawl') ? (
    <NewCrawlForm />
  ) : (
    <>
      <SceneHeader title="New crawl" />
      <EmptyState
        icon="info"
        title="Your token cannot start crawls"
        action={<LinkButton href="/">View crawls</LinkButton>}
      >
        It has read scope. Sign out under Settings, then sign in with a token that has crawl scope.
      </EmptyState>
    </>
  )
}

function NewCrawlForm() {
  const [query] = useSearchParams()
  const settings = useApi('getSettings', {}, { staleTime: Number.POSITIVE_INFINITY })
  const [start, setStart] = useState<StartUrlsInput>({ url: query.get('url') ?? '', more: '' })
  const [drafts, setDrafts] = useState<SettingDrafts>({})
  const settingInfos = settings.data?.items ?? []
  const changed = changedValues(settingInfos, drafts, settingDefaults(settingInfos))
  const body = toRequestBody(start, changed)
  const check = useCrawlCheck(body)
  const create = useCreateCrawl(body)
  // Shown beside their fields.
  const problems = create.problems.length > 0 ? create.problems : check.problems
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
          problem={
            body.url === '' ? undefined : (findFieldProblem(problems, 'url') ?? findFieldProblem(problems, 'urls'))
          }
          body={body}
          isReady={check.isValid}
        />
        {settings.error === null ? null : <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />}
        {settings.isPending ? <SkeletonRows /> : null}
        <SettingGroups
          settings={settingInfos}
          drafts={drafts}
          changed={changed}
          problems={problems}
          onChange={(name, settingDraft) => setDrafts({ ...drafts, [name]: settingDraft })}
        />
        {create.isError && create.problems.length === 0 ? (
          <p role="alert" className="text-bad">
            {errorMessage(create.error)}
          </p>
        ) : null}
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" variant="primary" icon="play" disabled={create.isPending || !check.isValid}>
            Start crawl
          </Button>
          <LinkButton href="/">Cancel</LinkButton>
          <span role="status" className="text-muted">
            {check.text}
          </span>
          {body.url === '' ? <SampleSiteButton isQuiet /> : null}
        </div>
      </form>
    </>
  )
}

function useCreateCrawl(body: NewCrawlBody) {
  const [, navigate] = useLocation()
  const create = useMutation({
    mutationFn: () => client.createCrawl({ body }),
    onSuccess: (crawl) => navigate(`/crawls/${crawl.crawl_id}`),
  })
  return { ...create, problems: create.error instanceof ApiError ? create.error.fields : [] }
}

function toRequestBody({ url, more }: StartUrlsInput, settings: Record<string, unknown>): NewCrawlBody {
  const others = splitLines(more)
  const seeds = others.length === 0 ? { url: url.trim() } : { urls: [url.trim(), ...others] }
  return Object.keys(settings).length === 0 ? seeds : { ...seeds, settings }
}
