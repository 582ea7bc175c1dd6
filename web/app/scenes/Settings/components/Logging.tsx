import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../components/controls/Button.tsx'
import { Field } from '../../../components/controls/Field.tsx'
import { Select } from '../../../components/controls/Input.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { showToast } from '../../../page/toasts.ts'
import { client, errorMessage, queryClient, toQueryKey, useApi } from '../../../server/api.ts'
import { LEVEL_LABELS, LEVELS, type LogLevel } from '../choice-labels.ts'

export function Logging() {
  const known = useApi('getLogLevel', {})
  const [chosen, setChosen] = useState<LogLevel | null>(null)
  const level = chosen ?? known.data?.level ?? 'info'
  const set = useMutation({
    mutationFn: (level: LogLevel) => client.setLogLevel({ body: { level } }),
    onSuccess: ({ level }) => {
      showToast(`The log level is ${level} now.`)
      void queryClient.invalidateQueries({ queryKey: toQueryKey('getLogLevel') })
    },
    onError: (error) => showToast(errorMessage(error), 'bad'),
  })
  return (
    <Card title="Logging">
      <div className="flex max-w-md items-start gap-2">
        <div className="flex-1">
          <Field label="Log level of the server" help="Until the process ends.">
            {(ids) => (
              <Select
                {...ids}
                value={level}
                onChange={(event) => setChosen(LEVELS.find((each) => each === event.target.value) ?? 'info')}
              >
                {LEVELS.map((each) => (
                  <option key={each} value={each}>
                    {LEVEL_LABELS[each]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <Button className="mt-6" disabled={set.isPending || known.isPending} onClick={() => set.mutate(level)}>
          Set
        </Button>
      </div>
    </Card>
  )
}
