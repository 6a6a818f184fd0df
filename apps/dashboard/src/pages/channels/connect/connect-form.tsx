import { slugSource } from '@svc/facts'
import { useState } from 'react'
import { Failure } from '../../../parts/failure.tsx'
import { Field, Select } from '../../../parts/field.tsx'
import { AgentChoice } from '../agent-choice.tsx'
import { platformNames, platformWord, policies, replyOptions } from '../channel-words.ts'
import type { ChatPlatform } from '../chat-platforms.ts'
import { Choices } from '../choices.tsx'
import { type ConnectFields, isIncomplete, transportOf } from './connect-input.ts'
import { MailForm } from './mail-form.tsx'
import { mailPaths } from './mail-input.ts'
import { problemsOf } from './problems.ts'
import { SecretFields } from './secret-fields.tsx'
import { secretPaths } from './secrets.ts'

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

const addresses: Readonly<Record<ChatPlatform, readonly string[]>> = {
  chat_a: ['settings.api_url'],
  chat_b: ['settings.homeserver_url'],
  email: mailPaths,
}

const others: Readonly<Record<ChatPlatform, string>> = {
  chat_a: 'A second Slack, or one of another address',
  chat_b: 'A second Matrix',
  email: 'A second address',
}

interface Props {
  readonly project_id: string
  readonly fields: ConnectFields
  readonly busy: boolean
  readonly error: unknown
  readonly onChange: (change: Partial<ConnectFields>) => void
  readonly onSubmit: () => void
}

/** The bot at its platform, and the rules of who speaks to which agent by it. */
export function ConnectForm({ project_id, fields, busy, error, onChange, onSubmit }: Props) {
  const { platform } = fields
  const [more, setMore] = useState(fields.slug !== '')
  const transport = transportOf(fields)
  const problems = problemsOf(error, {
    fields: [
      ...(transport === null ? [] : secretPaths(transport)),
      ...addresses[platform],
      ...['name', 'agent', 'slug'],
    ],
    conflict: platform === 'email' && fields.slug === '' ? 'settings.local' : 'slug',
  })
  const { at, rest } = problems
  return (
    <form
      className="grid max-w-2xl gap-4"
      aria-label={`Connect ${platformWord(platform)}`}
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) onSubmit()
      }}
    >
      {platform === 'chat_a' ? (
        <Choices
          label="How messages arrive"
          options={transports}
          value={fields.transport}
          onChange={(next) => onChange({ transport: next })}
        />
      ) : platform === 'email' ? (
        <MailForm value={fields.mail} onChange={(mail) => onChange({ mail })} problems={problems} />
      ) : (
        <Field
          label="Address of the homeserver"
          type="url"
          required
          value={fields.homeserver_url}
          onChange={(homeserver_url) => onChange({ homeserver_url })}
          placeholder="https://matrix.example.com"
          problem={at['settings.homeserver_url']}
          hint="That of the client-server API, which may differ from the name in user ids."
        />
      )}
      {transport !== null && (
        <SecretFields
          transport={transport}
          value={fields.secrets}
          onChange={(next) => onChange({ secrets: next })}
          problems={problems}
        />
      )}
      <div className="grid gap-4 md:grid-cols-2 md:items-start">
        <Field
          label="Name (optional)"
          value={fields.name}
          onChange={(name) => onChange({ name })}
          maxLength={100}
          placeholder={platformNames[platform]}
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
      {platform !== 'email' && (
        <Select
          label="Messages that count"
          value={fields.thread_replies}
          onChange={(next) => onChange({ thread_replies: next === 'mention' ? 'mention' : 'all' })}
          options={replyOptions}
        />
      )}
      <details
        open={more || at['slug'] !== undefined || at['settings.api_url'] !== undefined}
        onToggle={({ currentTarget }) => setMore(currentTarget.open)}
      >
        <summary className="hint">{others[platform]}</summary>
        <div className="mt-2 grid gap-4 md:grid-cols-2 md:items-start">
          <Field
            label="Slug (optional)"
            value={fields.slug}
            onChange={(slug) => onChange({ slug })}
            pattern={slugPattern}
            placeholder={`svc_${platform}`}
            problem={at['slug']}
            hint={`A second channel of ${platformWord(platform)} has one of its own, which a channel connector of svc.yaml declares.`}
          />
          {platform === 'chat_a' && (
            <Field
              label="Address of the API (optional)"
              type="url"
              value={fields.api_url}
              onChange={(api_url) => onChange({ api_url })}
              placeholder="https://slack.com/api/"
              problem={at['settings.api_url']}
            />
          )}
        </div>
      </details>
      <Failure error={rest} />
      <p>
        <button type="submit" className="button primary" disabled={busy || isIncomplete(fields)}>
          {busy ? 'Trying it…' : 'Connect'}
        </button>
      </p>
    </form>
  )
}
