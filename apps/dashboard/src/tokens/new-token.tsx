import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Modal } from '../parts/dialog.tsx'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { ShownOnce } from './shown-once.tsx'
import type { TokenSource } from './token-list.tsx'

interface Props {
  readonly tokens: Pick<TokenSource, 'create'>
  readonly onMade: () => Promise<void>
  readonly onClose: () => void
}

/** Makes a token and shows it, this once. */
export function NewToken({ tokens, onMade, onClose }: Props) {
  const [name, setName] = useState('')
  const [last, setLast] = useState('')
  const make = useMutation({
    mutationFn: () =>
      tokens.create({ name: name.trim(), ...(last === '' ? {} : { expires_at: endOfDay(last) }) }),
    onSuccess: onMade,
  })
  return (
    <Modal title="New token" open onOpenChange={(open) => open || onClose()}>
      {make.data === undefined ? (
        <form
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            if (!make.isPending) make.mutate()
          }}
        >
          <Field label="Name" value={name} onChange={setName} required autoFocus />
          <Field
            label="Last day (optional)"
            type="date"
            value={last}
            onChange={setLast}
            hint="Without one it holds until it is revoked, where the account allows that."
          />
          <Failure error={make.error} />
          <p>
            <button type="submit" className="button primary" disabled={make.isPending || name.trim() === ''}>
              Create token
            </button>
          </p>
        </form>
      ) : (
        <ShownOnce token={make.data.token} onClose={onClose} />
      )}
    </Modal>
  )
}

/** The last moment of a day of the reader's own clock. */
const endOfDay = (day: string) => new Date(`${day}T23:59:59`).toISOString()
