import { Field } from '../../../parts/field.tsx'
import type { Problems } from './problems.ts'
import { type ChatTransport, neededSecrets, type Secrets } from './secrets.ts'

const words: Readonly<Record<keyof Secrets, readonly [label: string, hint: string]>> = {
  bot_token: ['Bot token', 'OAuth & Permissions, once the app is installed: it begins with xoxb-.'],
  signing_secret: ['Signing secret', 'Basic Information, App Credentials.'],
  app_token: [
    'App-level token',
    'Basic Information, App-Level Tokens, with the scope connections:write: it begins with xapp-.',
  ],
  access_token: [
    'Access token',
    'The access_token of the answer to a login of its own. It holds until that login ends: do not log the bot out.',
  ],
}

interface Props {
  readonly transport: ChatTransport
  readonly value: Secrets
  readonly onChange: (value: Secrets) => void
  readonly problems: Problems
}

/** The secrets of the bot, which are sealed once they are sent, and shown on no page. */
export function SecretFields({ transport, value, onChange, problems: { at } }: Props) {
  return neededSecrets[transport].map((name) => (
    <Field
      key={name}
      label={words[name][0]}
      type="password"
      autoComplete="off"
      spellCheck={false}
      required
      value={value[name]}
      onChange={(text) => onChange({ ...value, [name]: text })}
      problem={at[`credentials.${name}`]}
      hint={words[name][1]}
    />
  ))
}
