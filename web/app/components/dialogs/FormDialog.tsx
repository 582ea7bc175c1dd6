import { type ReactNode, useId } from 'react'
import { errorMessage } from '../../server/api.ts'
import { Button } from '../controls/Button.tsx'
import { Dialog } from './Dialog.tsx'

/** A form with the buttons to cancel and to submit. */
export function FormDialog({
  title,
  submitLabel,
  isComplete,
  save,
  hasFieldProblems,
  onClose,
  children,
}: {
  title: string
  submitLabel: string
  isComplete: boolean
  /** The mutation that the form starts. */
  save: { mutate: () => void; isPending: boolean; isError: boolean; error: Error | null }
  /** Problems are shown beside their fields. */
  hasFieldProblems: boolean
  onClose: () => void
  children: ReactNode
}) {
  const id = useId()
  return (
    <Dialog
      title={title}
      isWide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} variant="primary" disabled={!isComplete || save.isPending}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        id={id}
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
        className="flex flex-col gap-4"
      >
        {children}
        {save.isError ? (
          <p role="alert" className="text-bad">
            {hasFieldProblems ? 'Fix the fields above.' : errorMessage(save.error)}
          </p>
        ) : null}
      </form>
    </Dialog>
  )
}
