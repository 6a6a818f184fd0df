import { channelPolicies, type ChannelPlatform } from '@svc/channel/states'
import { Plus, Trash2 } from 'lucide-react'
import { oneOf } from '../../../frame/search.ts'
import { Field, Select } from '../../../parts/field.tsx'
import { AgentChoice } from '../agent-choice.tsx'
import { policies } from '../channel-words.ts'
import { type ConversationFields, noConversation } from './settings-input.ts'

interface Props {
  readonly project_id: string
  readonly platform: ChannelPlatform
  readonly value: readonly ConversationFields[]
  readonly onChange: (value: readonly ConversationFields[]) => void
}

const policyOptions = [
  ['', 'as the channel has it'] as const,
  ...policies.map(([key, label]) => [key, label] as const),
]

const placeholders: Readonly<Record<ChannelPlatform, string>> = {
  chat_a: 'C0123456789',
  chat_b: '!room:matrix.example.com',
  email: 'team@example.com',
}

/** Conversations with an agent or a policy of their own. Agents may write first in those that stand here. */
export function Conversations({ project_id, platform, value, onChange }: Props) {
  const set = (at: number, change: Partial<ConversationFields>) =>
    onChange(value.map((one, index) => (index === at ? { ...one, ...change } : one)))
  return (
    <section className="grid gap-3" aria-labelledby="conversations">
      <h2 id="conversations">Conversations of their own</h2>
      <p className="hint">
        Others are taken as well, by the rules above. In those that stand here messages may be sent that
        answer none.
      </p>
      {value.map(({ id, name, agent, policy }, at) => (
        <fieldset key={at} className="card grid gap-3 p-3 md:grid-cols-2 md:items-start">
          <legend className="sr-only">Conversation {name || id || at + 1}</legend>
          <Field
            label="Id at the platform"
            value={id}
            onChange={(next) => set(at, { id: next })}
            required
            maxLength={255}
            spellCheck={false}
            placeholder={placeholders[platform]}
          />
          <Field
            label="Name (optional)"
            value={name}
            onChange={(next) => set(at, { name: next })}
            maxLength={100}
          />
          <AgentChoice
            project_id={project_id}
            value={agent}
            onChange={(next) => set(at, { agent: next })}
            none="as the channel has it"
          />
          <Select
            label="Others in a thread"
            value={policy}
            onChange={(next) => set(at, { policy: oneOf(channelPolicies, next) ?? '' })}
            options={policyOptions}
          />
          <p>
            <button
              type="button"
              className="button small"
              aria-label={`Leave out ${name || id || `conversation ${at + 1}`}`}
              onClick={() => onChange(value.filter((_, index) => index !== at))}
            >
              <Trash2 aria-hidden />
              Leave out
            </button>
          </p>
        </fieldset>
      ))}
      <p>
        <button type="button" className="button small" onClick={() => onChange([...value, noConversation])}>
          <Plus aria-hidden />
          Add a conversation
        </button>
      </p>
    </section>
  )
}
