import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../components/controls/Button.tsx'
import { Field } from '../../../components/controls/Field.tsx'
import { Select } from '../../../components/controls/Input.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { showToast } from '../../../page/toasts.ts'
import { client, errorMessage, refetchQueries, toQueryKey, useApi } from '../../../server/api.ts'
import { LEVEL_LABELS, LEVELS, type LogLevel } from '../choice-labels.ts'

export function Logging() {
  const current = useApi('getLogLevel', {})
  const [selected, setSelected] = useState<LogLevel | null>(null)
  const level = selected ?? current.data?.level ?? 'info'
  const set = useMutation({
    mutationFn: (level: LogLevel) => client.setLogLevel({ body: { level } }),
    onSuccess: ({ level }) => {
      showToast(`Log level set to ${LEVEL_LABELS[level].toLowerCase()}.`)
      void refetchQueries({ queryKey: toQueryKey('getLogLevel') })
    },
    onError: (error) => showToast(errorMessage(error), 'bad'),
  })
  return (
    <Card title="Logging">
      <div className="flex max-w-md items-start gap-2">
        <div className="flex-1">
          <Field label="Log level" help="Applies until the server restarts.">
            {(ids) => (
              <Select
                {...ids}
                value={level}
                onChange={(event) => setSelected(LEVELS.find((option) => option === event.target.value) ?? 'info')}
              >
                {LEVELS.map((option) => (
                  <option key={option} value={option}>
                    {LEVEL_LABELS[option]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <Button className="mt-6" disabled={set.isPending || current.isPending} onClick={() => set.mutate(level)}>
          Apply
        </Button>
      </div>
    </Card>
  )
}
