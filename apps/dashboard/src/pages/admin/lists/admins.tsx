import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Failure } from '../../../parts/failure.tsx'
import { Field } from '../../../parts/field.tsx'
import { Moment } from '../../../parts/moment.tsx'
import { whole } from '../../../parts/action-table.tsx'
import { AdminTable } from '../admin-table.tsx'
import { useAdmin } from '../use-admin.ts'

/** People who run the platform. */
export function Admins() {
  const admin = useAdmin()
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const add = useMutation({
    mutationFn: () => admin.addAdmin(email.trim()),
    onSuccess: () => setEmail(''),
    onSettled: () => queries.invalidateQueries({ queryKey: ['admin'] }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate()
  }
  return (
    <>
      <form className="flex flex-wrap items-end gap-2" onSubmit={submit}>
        <Field label="Email" type="email" required value={email} onChange={setEmail} />
        <button type="submit" className="button" disabled={add.isPending}>
          Add admin
        </button>
      </form>
      <Failure error={add.error} />
      <AdminTable
        caption="Admins"
        empty="No admin"
        read={() => whole(admin.admins())}
        keyOf={({ user_id }) => user_id}
        columns={[
          { name: 'Email', cell: (row) => row.email },
          { name: 'Name', cell: ({ name }) => name },
          { name: 'Since', cell: ({ since }) => <Moment at={since} /> },
        ]}
        actions={[
          {
            label: 'Remove',
            asks: (row) => `${row.email} no longer runs the platform.`,
            run: ({ user_id }) => admin.removeAdmin(user_id),
          },
        ]}
      />
    </>
  )
}
