import type { MintedToken, Token } from '@svc/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Modal } from '../parts/dialog.tsx'
import { Failure } from '../parts/failure.tsx'
import { Select } from '../parts/field.tsx'
import { ShownOnce } from './shown-once.tsx'

const graces = [
  ['0', 'At once'],
  ['3600', 'In an hour'],
  ['86400', 'In a day'],
] as const

interface Props {
  readonly token: Token
  readonly rotate: (token_id: string, input: { readonly grace_seconds: number }) => Promise<MintedToken>
  readonly onMade: () => Promise<void>
  readonly onClose: () => void
}

/** Makes a key in the place of another, with the same limits, and shows it, this once. */
export function RotateKey({ token, rotate, onMade, onClose }: Props) {
  const [grace, setGrace] = useState<string>(graces[0][0])
  const make = useMutation({
    mutationFn: () => rotate(token.token_id, { grace_seconds: Number(grace) }),
    onSuccess: onMade,
  })
  return (
    <Modal title={`Rotate ${token.name}`} open onOpenChange={(open) => open || onClose()}>
      {make.data === undefined ? (
        <form
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            if (!make.isPending) make.mutate()
          }}
        >
          <p className="hint">Another key with the same limits comes in its place.</p>
          <Select label="The old one ends" value={grace} onChange={setGrace} options={graces} />
          <Failure error={make.error} />
          <p>
            <button type="submit" className="button primary" disabled={make.isPending}>
              Rotate key
            </button>
          </p>
        </form>
      ) : (
        <ShownOnce token={make.data.token} onClose={onClose} />
      )}
    </Modal>
  )
}
