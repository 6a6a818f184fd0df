import type { GatewayProvider } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Modal } from '../../../parts/dialog.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Failure } from '../../../parts/failure.tsx'
import { Field } from '../../../parts/field.tsx'
import { GuardedButton } from '../../../parts/guarded-button.tsx'
import { Moment } from '../../../parts/moment.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'

interface Props {
  readonly project_id: string
  readonly slug: string
  readonly keys: GatewayProvider['keys']
  readonly onClose: () => void
}

/** The keys of a provider, which are tried in this order; one may be added and each be removed. */
export function ProviderKeys({ project_id, slug, keys, onClose }: Props) {
  const { providers } = useClient().projects.gateway
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [key, setKey] = useState('')
  const again = () => queries.invalidateQueries({ queryKey: ['model-providers', project_id] })
  const add = useMutation({
    mutationFn: () => providers.addKey(project_id, slug, { name: name.trim(), api_key: key.trim() }),
    onSuccess: async () => {
      setName('')
      setKey('')
      await again()
    },
  })
  const remove = useMutation({
    mutationFn: (key_id: string) => providers.removeKey(project_id, slug, key_id),
    onSuccess: again,
  })
  return (
    <Modal title={`Keys of ${slug}`} open onOpenChange={(open) => open || onClose()}>
      {keys.length === 0 ? (
        <Empty title="No key: it is asked without one" />
      ) : (
        <ul className="grid gap-2" aria-label="Keys">
          {keys.map(({ key_id, name: of, hint, last_used_at, last_error }) => (
            <li key={key_id} className="flex flex-wrap items-center gap-2">
              <span className="grid grow">
                <span dir="auto">
                  {of} <code>…{hint}</code>
                </span>
                <span className="faint">
                  {last_used_at === null ? 'never used' : <Moment at={last_used_at} />}
                  {last_error !== null && `, last error: ${last_error}`}
                </span>
              </span>
              <GuardedButton
                needs="project.secret.write"
                className="button small danger"
                disabled={remove.isPending}
                onClick={() => remove.mutate(key_id)}
              >
                Remove<span className="sr-only"> {of}</span>
              </GuardedButton>
            </li>
          ))}
        </ul>
      )}
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (!add.isPending) add.mutate()
        }}
      >
        <Field label="Name" value={name} onChange={setName} required autoComplete="off" maxLength={64} />
        <Field
          label="API key"
          type="password"
          value={key}
          onChange={setKey}
          required
          autoComplete="off"
          hint="Stored sealed; it is not shown again."
        />
        <Failure error={add.error ?? remove.error} />
        <p>
          <GuardedButton
            needs="project.secret.write"
            type="submit"
            className="button primary"
            disabled={add.isPending}
          >
            Add key
          </GuardedButton>
        </p>
      </form>
    </Modal>
  )
}
