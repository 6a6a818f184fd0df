import type { EventPlace } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Modal } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field, Select } from '../../parts/field.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { ShownOnce } from '../../tokens/shown-once.tsx'
import { idOf } from './place.ts'

interface Props {
  readonly place: EventPlace
  readonly onClose: () => void
}

/** Subscribes an address, and shows the secret of its signatures, this once. */
export function NewSubscription({ place, onClose }: Props) {
  const { subscriptions } = useClient().events
  const queries = useQueryClient()
  const [url, setUrl] = useState('')
  const [name, setName] = useState('')
  const [types, setTypes] = useState('*')
  const [ordering, setOrdering] = useState('none')
  const patterns = types.split(/[\s,]+/).filter((one) => one !== '')
  const make = useMutation({
    mutationFn: () =>
      subscriptions.create(place, {
        url: url.trim(),
        types: patterns,
        ordering: ordering === 'strict' ? 'strict' : 'none',
        ...(name.trim() !== '' && { name: name.trim() }),
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['event-subscriptions', idOf(place)] }),
  })
  return (
    <Modal title="New subscription" open onOpenChange={(open) => open || onClose()}>
      {make.data === undefined ? (
        <form
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            if (!make.isPending) make.mutate()
          }}
        >
          <Field
            label="Address"
            type="url"
            value={url}
            onChange={setUrl}
            placeholder="https://example.com/hooks/svc"
            required
            autoFocus
          />
          <Field label="Name (optional)" value={name} onChange={setName} maxLength={100} />
          <Field
            label="Types"
            value={types}
            onChange={setTypes}
            required
            hint="With commas between: cr.merged, all of a noun as cr.*, or * for everything."
          />
          <Select
            label="Order"
            value={ordering}
            onChange={setOrdering}
            options={[
              ['none', 'As it comes, up to eight at once'],
              ['strict', 'One at a time; one that fails holds the rest'],
            ]}
          />
          <Failure error={make.error} />
          <p>
            <button
              type="submit"
              className="button primary"
              disabled={make.isPending || url.trim() === '' || patterns.length === 0}
            >
              Subscribe
            </button>
          </p>
        </form>
      ) : (
        <ShownOnce token={make.data.secret} onClose={onClose} />
      )}
    </Modal>
  )
}
