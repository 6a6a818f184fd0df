import type { ChosenTransport } from '@svc/channel/states'
import { Field } from '../../../parts/field.tsx'
import type { SlackSecrets } from './connect-input.ts'
import type { Problems } from './problems.ts'

interface Props {
  readonly transport: ChosenTransport
  readonly value: SlackSecrets
  readonly onChange: (value: SlackSecrets) => void
  readonly problems: Problems
}

/** The secrets of the app, which are sealed once they are sent, and shown on no page. */
export function SecretFields({ transport, value, onChange, problems: { at } }: Props) {
  const secret = (name: keyof SlackSecrets, label: string, hint: string) => (
    <Field
      label={label}
      type="password"
      autoComplete="off"
      spellCheck={false}
      required
      value={value[name]}
      onChange={(text) => onChange({ ...value, [name]: text })}
      problem={at[`credentials.${name}`]}
      hint={hint}
    />
  )
  return (
    <>
      {secret(
        'bot_token',
        'Bot token',
        'OAuth & Permissions, once the app is installed: it begins with xoxb-.',
      )}
      {transport === 'socket'
        ? secret(
            'app_token',
            'App-level token',
            'Basic Information, App-Level Tokens, with the scope connections:write: it begins with xapp-.',
          )
        : secret('signing_secret', 'Signing secret', 'Basic Information, App Credentials.')}
    </>
  )
}
