import type { Channel } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '../../../parts/failure.tsx'
import { Field, Select } from '../../../parts/field.tsx'
import { GuardedButton } from '../../../parts/guarded-button.tsx'
import { toast } from '../../../parts/toast.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'
import { AgentChoice } from '../agent-choice.tsx'
import { policies, replyOptions } from '../channel-words.ts'
import { Choices } from '../choices.tsx'
import { problemsOf } from '../connect/problems.ts'
import { Conversations } from './conversations.tsx'
import { conversationsProblem, fieldsOf, settingsInput } from './settings-input.ts'

const form = { fields: ['name', 'agent'] }

/** The rules of a channel. Only what was changed is sent. */
export function SettingsForm({ channel }: { readonly channel: Channel }) {
  const { project_id, slug } = channel
  const { channels } = useClient().projects
  const queries = useQueryClient()
  const [fields, setFields] = useState(() => fieldsOf(channel))
  const change = (some: Partial<typeof fields>) => setFields((before) => ({ ...before, ...some }))
  const input = settingsInput(channel, fields)
  const problem = conversationsProblem(fields.conversations)
  const save = useMutation({
    mutationFn: () => channels.update(project_id, slug, input ?? {}),
    onSuccess: async (now) => {
      setFields(fieldsOf(now))
      toast('Saved.')
      await queries.invalidateQueries({ queryKey: ['channels', project_id] })
    },
  })
  const { at, rest } = problemsOf(save.error, form)
  return (
    <form
      className="grid max-w-2xl gap-4"
      aria-label="Settings"
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isPending && input !== null && problem === null) save.mutate()
      }}
    >
      <div className="grid gap-4 md:grid-cols-2 md:items-start">
        <Field
          label="Name"
          value={fields.name}
          onChange={(name) => change({ name })}
          required
          maxLength={100}
          problem={at['name']}
        />
        <AgentChoice
          project_id={project_id}
          value={fields.agent}
          onChange={(agent) => change({ agent })}
          none="the project’s default"
          problem={at['agent']}
        />
      </div>
      <Choices
        label="Others in a thread"
        options={policies}
        value={fields.policy}
        onChange={(policy) => change({ policy })}
      />
      {channel.platform !== 'email' && (
        <Select
          label="Messages that count"
          value={fields.thread_replies}
          onChange={(next) => change({ thread_replies: next === 'mention' ? 'mention' : 'all' })}
          options={replyOptions}
        />
      )}
      <Conversations
        project_id={project_id}
        platform={channel.platform}
        value={fields.conversations}
        onChange={(conversations) => change({ conversations })}
      />
      {problem !== null && (
        <p role="status" className="tone-bad text-13">
          {problem}
        </p>
      )}
      <Failure error={rest} />
      <p>
        <GuardedButton
          needs="project.connector.write"
          type="submit"
          className="button primary"
          disabled={save.isPending || input === null || problem !== null}
        >
          Save
        </GuardedButton>
      </p>
    </form>
  )
}
