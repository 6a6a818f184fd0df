import type { GatewayKey } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Modal } from '../parts/dialog.tsx'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { toast } from '../parts/toast.tsx'
import { useClient } from '../sign-in/signed-in.tsx'
import { limitsText } from './limits-text.ts'

interface Props {
  readonly project_id: string
  readonly gateway_key: GatewayKey
}

/** The limits of a gateway key, and the way to change them. */
export function KeyLimits({ project_id, gateway_key }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <span className="flex flex-wrap items-center gap-2">
      {limitsText(gateway_key.limits)}
      <button type="button" className="button small" onClick={() => setOpen(true)}>
        Change<span className="sr-only"> the limits of {gateway_key.name}</span>
      </button>
      {open && <Edit project_id={project_id} gateway_key={gateway_key} onClose={() => setOpen(false)} />}
    </span>
  )
}

function Edit({ project_id, gateway_key, onClose }: Props & { readonly onClose: () => void }) {
  const { gatewayKeys } = useClient().projects
  const queries = useQueryClient()
  const { limits, token_id, name } = gateway_key
  const [requests, setRequests] = useState(shown(limits.requests_per_minute))
  const [tokens, setTokens] = useState(shown(limits.tokens_per_minute))
  const [calls, setCalls] = useState(shown(limits.concurrency))
  const [models, setModels] = useState(limits.models?.join(', ') ?? '')
  const save = useMutation({
    mutationFn: () =>
      gatewayKeys.update(project_id, token_id, {
        limits: {
          requests_per_minute: numberOf(requests),
          tokens_per_minute: numberOf(tokens),
          concurrency: numberOf(calls),
          models: modelsOf(models),
        },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['gateway-keys', project_id] })
      toast('Saved. It holds from the next call.')
      onClose()
    },
  })
  const number = { type: 'number', min: 1, inputMode: 'numeric' } as const
  return (
    <Modal title={`Limits of ${name}`} open onOpenChange={(open) => open || onClose()}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending) save.mutate()
        }}
      >
        <p className="hint">An empty field is no limit. What the key may spend is a budget.</p>
        <Field label="Requests a minute" value={requests} onChange={setRequests} {...number} />
        <Field label="Tokens a minute" value={tokens} onChange={setTokens} {...number} />
        <Field label="Calls at a time" value={calls} onChange={setCalls} {...number} />
        <Field
          label="Models"
          value={models}
          onChange={setModels}
          hint="Such as acme/*, with commas between."
        />
        <Failure error={save.error} />
        <p>
          <button type="submit" className="button primary" disabled={save.isPending}>
            Save
          </button>
        </p>
      </form>
    </Modal>
  )
}

function shown(limit: number | null): string {
  return limit === null ? '' : String(limit)
}

function numberOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}

function modelsOf(text: string): string[] | null {
  const all = text
    .split(',')
    .map((glob) => glob.trim())
    .filter((glob) => glob !== '')
  return all.length === 0 ? null : all
}
