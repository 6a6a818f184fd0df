import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Modal } from '../../../parts/dialog.tsx'
import { Failure } from '../../../parts/failure.tsx'
import { Field, Select } from '../../../parts/field.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'

interface Props {
  readonly project_id: string
  readonly onClose: () => void
}

const kinds = [
  ['openai', 'OpenAI'],
  ['anthropic', 'Anthropic'],
  ['openai_compatible', 'Compatible with OpenAI’s chat'],
] as const

/** Names a provider, where it is, and the key that it is asked with. */
export function AddProvider({ project_id, onClose }: Props) {
  const { providers } = useClient().projects.gateway
  const queries = useQueryClient()
  const [slug, setSlug] = useState('')
  const [kind, setKind] = useState<(typeof kinds)[number][0]>('openai')
  const [base_url, setBaseUrl] = useState('')
  const [key, setKey] = useState('')
  const add = useMutation({
    mutationFn: () =>
      providers.create(project_id, {
        slug: slug.trim(),
        kind,
        base_url: base_url.trim(),
        ...(key.trim() === '' ? {} : { api_key: key.trim() }),
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['model-providers', project_id] })
      await queries.invalidateQueries({ queryKey: ['models', project_id] })
      onClose()
    },
  })
  return (
    <Modal title="Add provider" open onOpenChange={(open) => open || onClose()}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (!add.isPending) add.mutate()
        }}
      >
        <Field
          label="Name"
          value={slug}
          onChange={setSlug}
          required
          autoFocus
          autoComplete="off"
          spellCheck={false}
          hint="Its models are called name/model."
        />
        <Select
          label="Kind"
          options={kinds}
          value={kind}
          onChange={(next) => setKind(kinds.find(([one]) => one === next)?.[0] ?? 'openai')}
        />
        <Field
          label="Address"
          type="url"
          value={base_url}
          onChange={setBaseUrl}
          required
          placeholder="https://models.example.com/v1"
        />
        <Field
          label="API key (optional)"
          type="password"
          value={key}
          onChange={setKey}
          autoComplete="off"
          hint="Stored sealed; it is not shown again."
        />
        <Failure error={add.error} />
        <p>
          <button type="submit" className="button primary" disabled={add.isPending}>
            Add
          </button>
        </p>
      </form>
    </Modal>
  )
}
