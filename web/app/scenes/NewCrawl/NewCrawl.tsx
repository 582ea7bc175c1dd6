import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { ApiError, client, messageOf, useApi } from '../../api.ts'
import { Button, LinkButton } from '../../components/Button.tsx'
import { Card } from '../../components/Card.tsx'
import { ErrorState } from '../../components/EmptyState.tsx'
import { Field } from '../../components/Field.tsx'
import { Input, TextArea } from '../../components/Input.tsx'
import { SceneHeader } from '../../components/SceneHeader.tsx'
import { SkeletonRows } from '../../components/Skeleton.tsx'
import { changedValues, type Draft, type Drafts, defaultsOf, linesOf, problemOf } from '../../settings.ts'
import { Estimate } from './components/Estimate.tsx'
import { SettingGroups } from './components/SettingGroups.tsx'
import { useCrawlCheck } from './useCrawlCheck.ts'

export function NewCrawl() {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const settings = useApi('getSettings', {}, { staleTime: Number.POSITIVE_INFINITY })
  const [url, setUrl] = useState(query.get('url') ?? '')
  const [more, setMore] = useState('')
  const [drafts, setDrafts] = useState<Drafts>({})
  const known = settings.data?.items ?? []
  const changed = changedValues(known, drafts, defaultsOf(known))
  const body = bodyOf(url, more, changed)
  const check = useCrawlCheck(body)
  const create = useMutation({
    mutationFn: () => client.createCrawl({ body }),
    onSuccess: (crawl) => navigate(`/crawls/${crawl.crawl_id}`),
  })
  // Problems of fields stand beside them.
  const refused = create.error instanceof ApiError ? create.error.fields : []
  const isAboutFields = refused.length > 0
  const problems = isAboutFields ? refused : check.problems
  const urlProblem = url.trim() === '' ? undefined : (problemOf(problems, 'url') ?? problemOf(problems, 'urls'))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate()
  }
  const change = (name: string, draft: Draft): void => {
    create.reset()
    setDrafts({ ...drafts, [name]: draft })
  }

  return (
    <>
      <SceneHeader title="New crawl" />
      <form onSubmit={submit} className="flex max-w-4xl flex-col gap-3 px-4 pb-24 md:px-6">
        <Card>
          <div className="flex flex-col gap-3">
            <Field
              label="Start url"
              problem={urlProblem}
              help="Where the crawl begins. It stays on this host unless the scope says otherwise."
            >
              {(ids) => (
                <Input
                  {...ids}
                  autoFocus
                  className="h-10 text-sm"
                  inputMode="url"
                  placeholder="https://example.com"
                  value={url}
                  onChange={(event) => {
                    create.reset()
                    setUrl(event.target.value)
                  }}
                />
              )}
            </Field>
            <details>
              <summary className="w-fit rounded text-muted hover:text-ink">More start urls</summary>
              <div className="pt-2">
                <Field label="More start urls" help="One on each line.">
                  {(ids) => (
                    <TextArea {...ids} rows={4} value={more} onChange={(event) => setMore(event.target.value)} />
                  )}
                </Field>
              </div>
            </details>
            <Estimate body={body} isReady={check.isGood} />
          </div>
        </Card>
        {settings.error === null ? null : <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />}
        {settings.isPending ? <SkeletonRows /> : null}
        <SettingGroups settings={known} drafts={drafts} changed={changed} problems={problems} onChange={change} />
        {create.isError && !isAboutFields ? (
          <p role="alert" className="text-bad">
            {messageOf(create.error)}
          </p>
        ) : null}
        <div className="flex items-center gap-2">
          <Button
            type="submit"
            look="primary"
            icon="play"
            disabled={url.trim() === '' || create.isPending || !check.isGood}
          >
            Start crawl
          </Button>
          <LinkButton href="/">Back</LinkButton>
          <span role="status" className="text-muted">
            {check.text}
          </span>
        </div>
      </form>
    </>
  )
}

function bodyOf(url: string, more: string, settings: Record<string, unknown>) {
  const others = linesOf(more)
  const seeds = others.length === 0 ? { url: url.trim() } : { urls: [url.trim(), ...others] }
  return Object.keys(settings).length === 0 ? seeds : { ...seeds, settings }
}
