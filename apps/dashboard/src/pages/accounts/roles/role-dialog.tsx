import type { CustomRoleInput, Role } from '@svc/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Modal } from '../../../parts/dialog.tsx'
import { Failure } from '../../../parts/failure.tsx'
import { Field, Select } from '../../../parts/field.tsx'
import { toast } from '../../../parts/toast.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'

interface Props {
  readonly account_id: string
  /** The role to change; null for a new one. */
  readonly role: Role | null
  readonly known: readonly Role[]
  readonly onClose: () => void
  readonly onSaved: () => Promise<unknown>
}

type CapabilityName = CustomRoleInput['capabilities'][number]

/** Makes or changes a role: its name, the built-in one below it, and what it adds. */
export function RoleDialog({ account_id, role, known, onClose, onSaved }: Props) {
  const { roles } = useClient().accounts
  const builtIn = known.filter((one) => one.built_in)
  const [name, setName] = useState(role?.name ?? '')
  const [base, setBase] = useState(role?.base_role ?? 'viewer')
  const [added, setAdded] = useState<ReadonlySet<CapabilityName>>(new Set(role?.capabilities))
  const held = new Set(builtIn.find(({ base_role }) => base_role === base)?.capabilities)
  const offered = [...new Set(builtIn.flatMap(({ capabilities }) => capabilities))]
    .filter((one) => !held.has(one))
    .sort()
  const save = useMutation({
    mutationFn: () => {
      const input = {
        name: name.trim(),
        base_role: base,
        capabilities: offered.filter((one) => added.has(one)),
      }
      return role?.role_id == null
        ? roles.create(account_id, input)
        : roles.update(account_id, role.role_id, input)
    },
    onSuccess: async () => {
      toast(`Saved the role ${name.trim()}.`)
      onClose()
      await onSaved()
    },
  })
  const turn = (one: CapabilityName, on: boolean) =>
    setAdded((before) => {
      const next = new Set(before)
      if (on) next.add(one)
      else next.delete(one)
      return next
    })
  return (
    <Modal
      title={role === null ? 'New role' : `Edit ${role.name}`}
      open
      onOpenChange={(open) => open || onClose()}
    >
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending) save.mutate()
        }}
      >
        <Field label="Name" value={name} onChange={setName} required />
        <Select
          label="Based on"
          value={base}
          onChange={(next) => setBase(builtIn.find(({ base_role }) => base_role === next)?.base_role ?? base)}
          options={builtIn.map(({ base_role }) => [base_role, base_role] as const)}
        />
        <fieldset className="field">
          <legend className="label">Adds</legend>
          {offered.length === 0 && <p className="faint">Nothing is left to add to {base}.</p>}
          <div className="grid gap-1 sm:grid-cols-2">
            {offered.map((one) => (
              <label key={one} className="check font-mono text-12">
                <input
                  type="checkbox"
                  checked={added.has(one)}
                  onChange={({ target }) => turn(one, target.checked)}
                />
                {one.replace(/^project\./, '')}
              </label>
            ))}
          </div>
        </fieldset>
        <Failure error={save.error} />
        <div className="flex gap-2">
          <button type="submit" className="button primary" disabled={save.isPending || name.trim() === ''}>
            Save
          </button>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Modal>
  )
}
