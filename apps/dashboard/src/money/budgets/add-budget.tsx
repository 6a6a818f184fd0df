import type { Budget, CreateBudgetInput } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Modal } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field, Select } from '../../parts/field.tsx'
import { type MoneyPlace, useMoney } from '../place.ts'
import { CapField, capOf } from './cap-field.tsx'

interface Props {
  readonly place: MoneyPlace
  readonly onClose: () => void
}

const levelsOf = {
  account: [
    ['account', 'The account'],
    ['project', 'Each project'],
  ],
  project: [
    ['project', 'The project'],
    ['session', 'Each session'],
    ['trigger', 'Each trigger'],
    ['agent', 'Each agent'],
    ['key', 'Each gateway key'],
    ['call', 'Each call'],
  ],
} as const satisfies Record<MoneyPlace['kind'], readonly (readonly [Budget['level'], string])[]>
const periods = [
  ['hour', 'an hour'],
  ['day', 'a day'],
  ['week', 'a week'],
  ['month', 'a month'],
  ['total', 'in all'],
] as const
const modes = [
  ['block', 'Refuse calls above it'],
  ['alert', 'Tell only'],
] as const

const keyOf = <K extends string>(list: readonly (readonly [K, string])[], value: string, otherwise: K): K =>
  list.find(([key]) => key === value)?.[0] ?? otherwise

/** Asks for a cap, for what, and for how long. */
export function AddBudget({ place, onClose }: Props) {
  const { id, budgets } = useMoney(place)
  const levels = levelsOf[place.kind]
  const queries = useQueryClient()
  const [level, setLevel] = useState<Budget['level']>(place.kind)
  const [period, setPeriod] = useState<(typeof periods)[number][0]>('month')
  const [mode, setMode] = useState<(typeof modes)[number][0]>('block')
  const [subject, setSubject] = useState('')
  const [cap, setCap] = useState('')
  const cap_micros = capOf(cap)
  const add = useMutation({
    mutationFn: (amount: number) => {
      const common = { level, cap_micros: amount, mode }
      const input: CreateBudgetInput =
        level === 'call'
          ? common
          : { ...common, period, ...(subject.trim() === '' ? {} : { subject: subject.trim() }) }
      return budgets.create(id, input)
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['model-budgets', id] })
      onClose()
    },
  })
  return (
    <Modal title="Add budget" open onOpenChange={(open) => open || onClose()}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (cap_micros !== null && !add.isPending) add.mutate(cap_micros)
        }}
      >
        <CapField value={cap} onChange={setCap} hint="0 refuses every call that costs" autoFocus />
        <Select
          label="For"
          options={levels}
          value={level}
          onChange={(next) => setLevel(keyOf<Budget['level']>(levels, next, place.kind))}
        />
        {level !== 'call' && (
          <Select
            label="Period, in UTC"
            options={periods}
            value={period}
            onChange={(next) => setPeriod(keyOf(periods, next, 'month'))}
          />
        )}
        {level !== 'call' && level !== place.kind && place.kind === 'project' && (
          <Field
            label={`One ${level} only (optional)`}
            value={subject}
            onChange={setSubject}
            autoComplete="off"
            spellCheck={false}
            hint="Left empty, each of them has the cap by itself."
          />
        )}
        <Select
          label="At the cap"
          options={modes}
          value={mode}
          onChange={(next) => setMode(keyOf(modes, next, 'block'))}
        />
        <Failure error={add.error} />
        <p>
          <button type="submit" className="button primary" disabled={add.isPending || cap_micros === null}>
            Add
          </button>
        </p>
      </form>
    </Modal>
  )
}
