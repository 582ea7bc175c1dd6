import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/controls/Button.tsx'
import { ToggleChip } from '../../../components/controls/Chip.tsx'
import { Field } from '../../../components/controls/Field.tsx'
import { Input } from '../../../components/controls/Input.tsx'
import { client, errorMessage, refetchQueries } from '../../../server/api.ts'
import { EVENT_LABELS, EVENTS, type WebhookEvent } from '../choice-labels.ts'
import { NewSecret } from './NewSecret.tsx'

export function NewWebhook() {
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(EVENTS)
  const [secret, setSecret] = useState<string | null>(null)
  const create = useMutation({
    mutationFn: () => client.createWebhook({ body: { url: url.trim(), events: [...events] } }),
    onSuccess: (hook) => {
      setUrl('')
      setSecret(hook.secret)
      void refetchQueries({ queryKey: ['listWebhooks'] })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3 border-b border-line p-3">
      <Field label="URL" problem={create.isError ? errorMessage(create.error) : undefined}>
        {(ids) => (
          <Input
            {...ids}
            type="url"
            placeholder="https://example.com/hook"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <fieldset className="flex flex-wrap items-center gap-1.5">
          <legend className="float-left mr-2 text-xs text-muted">Events</legend>
          {EVENTS.map((event) => (
            <ToggleChip
              key={event}
              isOn={events.includes(event)}
              onChange={(isOn) =>
                setEvents(EVENTS.filter((other) => (other === event ? isOn : events.includes(other))))
              }
            >
              {EVENT_LABELS[event]}
            </ToggleChip>
          ))}
        </fieldset>
        <Button type="submit" variant="primary" disabled={url.trim() === '' || events.length === 0 || create.isPending}>
          Add webhook
        </Button>
      </div>
      {secret === null ? null : <NewSecret title="Signing secret" secret={secret} onClose={() => setSecret(null)} />}
    </form>
  )
}
