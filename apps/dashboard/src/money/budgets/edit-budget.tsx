import { usd } from '@svc/facts'
import type { Budget } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Modal } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { toast } from '../../parts/toast.tsx'
import { type MoneyPlace, useMoney } from '../place.ts'
import { CapField, capOf } from './cap-field.tsx'

interface Props {
  readonly place: MoneyPlace
  readonly budget: Budget
  readonly onClose: () => void
}

/** Another name or another cap; a higher one lifts a block with the next call. */
export function EditBudget({ place, budget, onClose }: Props) {
  const { id, budgets } = useMoney(place)
  const queries = useQueryClient()
  const [name, setName] = useState(budget.name)
  const [cap, setCap] = useState(usd(budget.cap_micros).slice(1))
  const cap_micros = capOf(cap)
  const save = useMutation({
    mutationFn: (amount: number) =>
      budgets.update(id, budget.budget_id, { name: name.trim(), cap_micros: amount }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['model-budgets', id] })
      toast('Saved.')
      onClose()
    },
  })
  return (
    <Modal title={`Change ${budget.name}`} open onOpenChange={(open) => open || onClose()}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (cap_micros !== null && !save.isPending) save.mutate(cap_micros)
        }}
      >
        <Field label="Name" value={name} onChange={setName} required maxLength={100} />
        <CapField
          value={cap}
          onChange={setCap}
          hint="A higher cap holds from the next call; what was spent stays spent."
        />
        <Failure error={save.error} />
        <p>
          <button type="submit" className="button primary" disabled={save.isPending || cap_micros === null}>
            Save
          </button>
        </p>
      </form>
    </Modal>
  )
}
