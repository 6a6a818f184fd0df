import type { Session, SessionRuntime } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { Failure } from '../../../parts/failure.tsx'
import { Select } from '../../../parts/field.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'
import { controlsOf, type OptionControl } from './option-controls.ts'
import { runtimeKey } from './use-runtime.ts'

interface Props {
  readonly session: Session
  readonly runtime: SessionRuntime
}

/** The options that the agent of a session offers, such as its mode and model; nothing where it offers none. */
export function RuntimeOptions({ session, runtime }: Props) {
  const heading = useId()
  const controls = controlsOf(runtime.config_options)
  if (controls.length === 0) return null
  return (
    <section aria-labelledby={heading} className="grid gap-2">
      <h2 id={heading}>Options of the agent</h2>
      {session.status !== 'running' && (
        <p className="hint">They can be changed while the session runs: start it first.</p>
      )}
      {controls.map((control) => (
        <Option key={control.id} session={session} control={control} />
      ))}
    </section>
  )
}

function Option({ session, control }: { readonly session: Session; readonly control: OptionControl }) {
  const { project_id, session_id, status } = session
  const { sessions } = useClient().projects
  const queries = useQueryClient()
  const key = runtimeKey(session_id)
  const set = useMutation({
    mutationFn: (value: string | boolean) =>
      sessions.runtime.set(project_id, session_id, { [control.id]: value }),
    // An answer on its way has the value of before.
    onMutate: () => queries.cancelQueries({ queryKey: key }),
    onSuccess: (runtime) => queries.setQueryData(key, runtime),
    onError: () => queries.invalidateQueries({ queryKey: key }),
  })
  const disabled = status !== 'running' || set.isPending
  const asked = set.isPending ? set.variables : undefined
  return (
    <div className="grid gap-1" aria-busy={set.isPending}>
      {control.kind === 'switch' ? (
        <label className="check" title={control.description ?? undefined}>
          <input
            type="checkbox"
            checked={asked === undefined ? control.value : asked === true}
            disabled={disabled}
            onChange={({ target }) => set.mutate(target.checked)}
          />
          {control.label}
        </label>
      ) : (
        <Select
          label={control.label}
          value={typeof asked === 'string' ? asked : control.value}
          onChange={set.mutate}
          options={control.choices}
          hint={control.description ?? undefined}
          disabled={disabled}
        />
      )}
      <Failure error={set.error} />
    </div>
  )
}
