import type { PlatformMaintenance } from '@svc/sdk/admin'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Failure } from '../../parts/failure.tsx'
import { Field, Select } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { toast } from '../../parts/toast.tsx'
import { useAdmin } from './use-admin.ts'

const modes = [
  ['off', 'Off: everything is open'],
  ['drain', 'Drain: no new sessions; prompts and fires wait'],
  ['read_only', 'Read only: people and agents read'],
] as const

/** The platform, closed for a while or opened again. */
export function Maintenance() {
  const admin = useAdmin()
  const query = useQuery({ queryKey: ['admin', 'maintenance'], queryFn: () => admin.maintenance() })
  return <Loaded query={query}>{(found) => <Form key={found.at} now={found} />}</Loaded>
}

function Form({ now }: { readonly now: PlatformMaintenance }) {
  const admin = useAdmin()
  const queries = useQueryClient()
  const [mode, setMode] = useState(now.mode)
  const [message, setMessage] = useState(now.message ?? '')
  const set = useMutation({
    mutationFn: () =>
      admin.setMaintenance({ mode, ...(message.trim() === '' ? {} : { message: message.trim() }) }),
    onSuccess: () => toast('All processes follow within six seconds.'),
    onSettled: () => queries.invalidateQueries({ queryKey: ['admin'] }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    set.mutate()
  }
  return (
    <form className="grid max-w-120 gap-3" onSubmit={submit}>
      <Select
        label="Mode"
        value={mode}
        onChange={(value) => setMode(modes.find(([key]) => key === value)?.[0] ?? mode)}
        options={modes}
      />
      <Field label="Message" value={message} onChange={setMessage} hint="Shown to all who are refused." />
      <p>
        <button type="submit" className="button primary" disabled={set.isPending}>
          Save
        </button>
      </p>
      <Failure error={set.error} />
    </form>
  )
}
