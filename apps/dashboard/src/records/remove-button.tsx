import type { Capability } from '@svc/facts'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Confirm } from '../parts/dialog.tsx'
import { GuardedButton } from '../parts/guarded-button.tsx'
import { toast } from '../parts/toast.tsx'

interface Props {
  readonly verb: string
  /** The capability that it takes, where not every reader has it. */
  readonly needs?: Capability
  /** The thing's name, which the question says. */
  readonly of: string
  readonly run: () => Promise<unknown>
  /** Reads again what changed. */
  readonly onDone: () => Promise<unknown>
  readonly said: string
  /** The consequence, in a sentence. */
  readonly children: ReactNode
}

/** A button for what cannot be taken back: it asks first, by the name of the thing, and says when it is done. */
export function RemoveButton({ verb, needs, of, run, onDone, said, children }: Props) {
  const [open, setOpen] = useState(false)
  const remove = useMutation({
    mutationFn: run,
    onSuccess: async () => {
      setOpen(false)
      toast(said)
      await onDone()
    },
  })
  return (
    <>
      <GuardedButton
        needs={needs}
        className="button small danger"
        aria-label={`${verb} ${of}`}
        onClick={() => {
          remove.reset()
          setOpen(true)
        }}
      >
        {verb}
      </GuardedButton>
      <Confirm
        title={`${verb} ${of}?`}
        open={open}
        onOpenChange={setOpen}
        verb={verb}
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
      >
        {children}
      </Confirm>
    </>
  )
}
