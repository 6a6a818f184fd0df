import { Field } from '../../../parts/field.tsx'
import { Choices } from '../choices.tsx'
import type { MailFields } from './mail-input.ts'
import type { Problems } from './problems.ts'

const ways = [
  ['lmtp', 'By the mail server', 'An address at the domain that the operator of this platform has for it.'],
  ['imap', 'From a mailbox', 'A mailbox of its own, which no person reads: its mails are marked as read.'],
] as const

interface Props {
  readonly value: MailFields
  readonly onChange: (value: MailFields) => void
  readonly problems: Problems
}

/** The address of a channel, and the server by whose word senders are believed. */
export function MailForm({ value, onChange, problems: { at } }: Props) {
  const set = (change: Partial<MailFields>) => onChange({ ...value, ...change })
  return (
    <>
      <Choices label="How mails arrive" options={ways} value={value.way} onChange={(way) => set({ way })} />
      {value.way === 'lmtp' ? (
        <Field
          label="Address, before the @ (optional)"
          value={value.local}
          onChange={(local) => set({ local })}
          maxLength={64}
          spellCheck={false}
          placeholder="one that is made"
          problem={at['settings.local']}
          hint="Letters, digits, dots and dashes. No two channels of this platform have the same one."
        />
      ) : (
        <MailboxFields value={value} set={set} at={at} />
      )}
      <Field
        label="Server that vouches for senders (optional)"
        value={value.authserv_id}
        onChange={(authserv_id) => set({ authserv_id })}
        maxLength={253}
        spellCheck={false}
        placeholder="mx.example.com"
        problem={at['settings.authserv_id']}
        hint="The first word of the Authentication-Results header that it writes. Empty for that of this platform."
      />
    </>
  )
}

interface BoxProps {
  readonly value: MailFields
  readonly set: (change: Partial<MailFields>) => void
  readonly at: Problems['at']
}

function MailboxFields({ value, set, at }: BoxProps) {
  return (
    <div className="grid gap-4 md:grid-cols-2 md:items-start">
      <Field
        label="IMAP server"
        required
        value={value.host}
        onChange={(host) => set({ host })}
        spellCheck={false}
        placeholder="imap.example.com"
        problem={at['credentials.imap.host']}
      />
      <Field
        label="Port"
        required
        value={value.port}
        onChange={(port) => set({ port })}
        pattern="[0-9]{1,5}"
        problem={at['credentials.imap.port']}
      />
      <Field
        label="User"
        required
        autoComplete="off"
        value={value.user}
        onChange={(user) => set({ user })}
        spellCheck={false}
        problem={at['credentials.imap.user']}
      />
      <Field
        label="Password"
        type="password"
        autoComplete="off"
        required
        value={value.password}
        onChange={(password) => set({ password })}
        problem={at['credentials.imap.password']}
      />
      <Field
        label="Address (where the user is none)"
        value={value.address}
        onChange={(address) => set({ address })}
        spellCheck={false}
        placeholder="agents@example.com"
        problem={at['settings.address']}
      />
    </div>
  )
}
