import { slugSource } from '@svc/facts'
import type { FormEvent, ReactNode } from 'react'
import { Area, Field, Select } from '../../parts/field.tsx'
import type { TriggerFields } from './trigger-input.ts'

/** Browsers read a pattern with the flag `v`, to which a hyphen in a class is no letter. */
const slug = slugSource.replace('_-', String.raw`_\-`)

interface Props {
  readonly fields: TriggerFields
  readonly onChange: (change: Partial<TriggerFields>) => void
  /** The address and the type of one that is there stay. */
  readonly known: boolean
  readonly onSubmit: () => void
  readonly children: ReactNode
}

const types = [
  ['cron', 'Schedule'],
  ['webhook', 'Webhook'],
  ['monitor', 'Monitor'],
] as const

/** The entry of a trigger in the manifest, as a form. */
export function TriggerForm({ fields, onChange, known, onSubmit, children }: Props) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form className="grid max-w-2xl gap-4" onSubmit={submit}>
      {!known && (
        <div className="grid gap-4 md:grid-cols-2">
          <Field
            label="Slug"
            value={fields.slug}
            onChange={(slug) => onChange({ slug })}
            required
            pattern={slug}
            hint="Its name in svc.yaml: small letters, digits, hyphens and underscores."
          />
          <Select
            label="Type"
            value={fields.type}
            onChange={(type) => onChange({ type: types.find(([one]) => one === type)?.[0] ?? 'cron' })}
            options={types}
          />
        </div>
      )}
      <Field label="Display name (optional)" value={fields.name} onChange={(name) => onChange({ name })} />
      {fields.type === 'cron' && (
        <div className="grid gap-4 md:grid-cols-2">
          <Field
            label="Cron"
            value={fields.cron}
            onChange={(cron) => onChange({ cron })}
            required
            placeholder="0 9 * * 1-5"
            hint="Minute, hour, day, month, weekday; seconds may stand before them."
          />
          <Field
            label="Time zone"
            value={fields.timezone}
            onChange={(timezone) => onChange({ timezone })}
            placeholder="Europe/Berlin"
          />
        </div>
      )}
      {fields.type === 'webhook' && (
        <Field
          label="Secret"
          value={fields.secret_env}
          onChange={(secret_env) => onChange({ secret_env })}
          required
          placeholder="HOOK_SECRET"
          hint="The name of the project's secret that signs deliveries."
        />
      )}
      {fields.type === 'monitor' && (
        <Field
          label="Command"
          value={fields.run}
          onChange={(run) => onChange({ run })}
          required
          hint="Each line that it prints is an occurrence."
        />
      )}
      <Field label="Agent (optional)" value={fields.agent} onChange={(agent) => onChange({ agent })} />
      <Area
        label="Prompt of the trigger"
        rows={5}
        value={fields.prompt}
        onChange={(prompt) => onChange({ prompt })}
        required
      />
      <p className="hint">Saving commits to svc.yaml on the default branch.</p>
      {children}
    </form>
  )
}
