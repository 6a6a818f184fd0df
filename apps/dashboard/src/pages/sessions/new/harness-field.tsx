import type { Harness } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { Select } from '../../../parts/field.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'

interface Props {
  readonly project_id: string
  /** The agent that was chosen; empty is the default one. */
  readonly agent: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The choice of the program that is the agent, with what stands in the way of each. Left out where they cannot be read. */
export function HarnessField({ project_id, agent, value, onChange }: Props) {
  const { harnesses } = useClient().projects
  const { data } = useQuery({
    queryKey: ['harnesses', project_id],
    queryFn: () => harnesses.list(project_id),
    retry: false,
  })
  if (data === undefined) return null
  const own = data.agents[agent] ?? data.default
  const chosen = data.harnesses.find(({ name }) => name === value)
  return (
    <Select
      label="Runs on"
      value={value}
      onChange={onChange}
      hint={chosen === undefined ? undefined : hintOf(chosen)}
      options={[
        ['', `${own} (the agent’s own)`],
        ...data.harnesses.map((harness) => [harness.name, labelOf(harness)] as const),
      ]}
    />
  )
}

function labelOf({ title, available, source }: Harness): string {
  const of = source === 'manifest' ? ' (this project’s)' : ''
  return `${title}${of}${available ? '' : ': not now'}`
}

const megabyte = 1_000_000

/** The one thing that a person has to know before they start it. */
function hintOf({ available, message, installs, bytes }: Harness): string | undefined {
  if (!available) return message ?? undefined
  if (bytes === 0 || installs.some(({ state }) => state === 'ready')) return undefined
  return `The first session installs it: about ${Math.round(bytes / megabyte)} MB.`
}
