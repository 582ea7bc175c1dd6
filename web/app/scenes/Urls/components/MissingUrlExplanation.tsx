import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/controls/Button.tsx'
import { Field } from '../../../components/controls/Field.tsx'
import { Input } from '../../../components/controls/Input.tsx'
import { client, errorMessage } from '../../../server/api.ts'
import { DecisionSteps } from './DecisionSteps.tsx'

/** Explains why a URL is not in the list. */
export function MissingUrlExplanation({ crawlId, text }: { crawlId: string; text: string }) {
  const [url, setUrl] = useState(text)
  const explain = useMutation({
    mutationFn: (url: string) => client.explainUrl({ params: { crawl_id: crawlId }, query: { url } }),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    explain.mutate(url.trim())
  }
  return (
    <form onSubmit={submit} className="mt-2 flex w-[min(28rem,80vw)] flex-col gap-2 text-left text-ink">
      <Field
        label="Explain a missing URL"
        help="Enter a full URL to see why the crawl did not visit it."
        problem={explain.isError ? errorMessage(explain.error) : undefined}
      >
        {(ids) => (
          <Input
            {...ids}
            inputMode="url"
            placeholder="https://example.com/page"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" className="self-start" disabled={url.trim() === '' || explain.isPending}>
        Explain
      </Button>
      {explain.data === undefined ? null : (
        <div role="status" className="flex flex-col gap-2">
          <p>{explain.data.answer}</p>
          <DecisionSteps steps={explain.data.steps} line={null} />
        </div>
      )}
    </form>
  )
}
