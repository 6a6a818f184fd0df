import { slugSource } from '@svc/facts'
import { useState } from 'react'
import { Failure } from '../../../parts/failure.tsx'
import { Field, Select } from '../../../parts/field.tsx'
import { AgentChoice } from '../agent-choice.tsx'
import { policies, replyOptions } from '../channel-words.ts'
import { Choices } from '../choices.tsx'
import { type ConnectFields, isIncomplete } from './connect-input.ts'
import { problemsOf } from './problems.ts'
import { SecretFields } from './secret-fields.tsx'

/** Browsers read a pattern with the flag `v`, to which a hyphen in a class is no letter. */
const slugPattern = slugSource.replace('_-', String.raw`_\-`)

const transports = [
  ['events', 'By events', 'Slack calls an address of this platform, which it must reach from the internet.'],
  [
    'socket',
    'By a socket',
    'The platform calls Slack and needs no public address. Choose it where Slack cannot reach the platform.',
  ],
] as const

const form = {
  fields: [
    'credentials.bot_token',
    'credentials.signing_secret',
    'credentials.app_token',
    'name',
    'agent',
    'slug',
    'settings.api_url',
  ],
  conflict: 'slug',
}

interface Props {
  readonly project_id: string
  readonly fields: ConnectFields
  readonly busy: boolean
  readonly error: unknown
  readonly onChange: (change: Partial<ConnectFields>) => void
  readonly onSubmit: () => void
}

/** The app of Slack, and the rules of who speaks to which agent by it. */
export function ConnectForm({ project_id, fields, busy, error, onChange, onSubmit }: Props) {
  const { transport, secrets } = fields
  const [more, setMore] = useState(fields.slug !== '')
  const problems = problemsOf(error, form)
  const { at, rest } = problems
  return (
    <form
      className="grid max-w-2xl gap-4"
      aria-label="Connect Slack"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) onSubmit()
      }}
    >
      <Choices
        label="How messages arrive"
        options={transports}
        value={transport}
        onChange={(next) => onChange({ transport: next })}
      />
      <SecretFields
        transport={transport}
        value={secrets}
        onChange={(next) => onChange({ secrets: next })}
        problems={problems}
      />
      <div className="grid gap-4 md:grid-cols-2 md:items-start">
        <Field
          label="Name (optional)"
          value={fields.name}
          onChange={(name) => onChange({ name })}
          maxLength={100}
          placeholder="Slack"
          problem={at['name']}
        />
        <AgentChoice
          project_id={project_id}
          value={fields.agent}
          onChange={(agent) => onChange({ agent })}
          none="the project’s default"
          problem={at['agent']}
        />
      </div>
      <Choices
        label="Others in a thread"
        options={policies}
        value={fields.policy}
        onChange={(policy) => onChange({ policy })}
      />
      <Select
        label="Messages that count"
        value={fields.thread_replies}
        onChange={(next) => onChange({ thread_replies: next === 'mention' ? 'mention' : 'all' })}
        options={replyOptions}
      />
      <details
        open={more || at['slug'] !== undefined || at['settings.api_url'] !== undefined}
        onToggle={({ currentTarget }) => setMore(currentTarget.open)}
      >
        <summary className="hint">A second Slack, or one of another address</summary>
        <div className="mt-2 grid gap-4 md:grid-cols-2 md:items-start">
          <Field
            label="Slug (optional)"
            value={fields.slug}
            onChange={(slug) => onChange({ slug })}
            pattern={slugPattern}
            placeholder="svc_chat_a"
            problem={at['slug']}
            hint="A second Slack has one of its own, which a channel connector of svc.yaml declares."
          />
          <Field
            label="Address of the API (optional)"
            type="url"
            value={fields.api_url}
            onChange={(api_url) => onChange({ api_url })}
            placeholder="https://slack.com/api/"
            problem={at['settings.api_url']}
          />
        </div>
      </details>
      <Failure error={rest} />
      <p>
        <button type="submit" className="button primary" disabled={busy || isIncomplete(transport, secrets)}>
          {busy ? 'Trying it…' : 'Connect'}
        </button>
      </p>
    </form>
  )
}
