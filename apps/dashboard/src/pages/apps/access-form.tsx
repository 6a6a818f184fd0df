import type { ProjectApp } from '@svc/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '../../parts/failure.tsx'
import { Field, Select } from '../../parts/field.tsx'
import { GuardedButton } from '../../parts/guarded-button.tsx'
import { toast } from '../../parts/toast.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { modeWords } from './app-words.ts'

type Mode = ProjectApp['access_mode']

/** The people who may look at an app. A change closes every way in that was given before. */
export function AccessForm({ app }: { readonly app: ProjectApp }) {
  const { project_id, account_id, name, access_mode, viewers } = app
  const client = useClient()
  const queries = useQueryClient()
  const [mode, setMode] = useState<Mode>(access_mode)
  const [password, setPassword] = useState('')
  const before = viewers.flatMap((one) => ('user_id' in one ? [one.user_id] : []))
  const [listed, setListed] = useState<readonly string[]>(before)
  const groups = viewers.filter((one) => 'group_id' in one)
  const people = useQuery({
    queryKey: ['account-members', account_id],
    queryFn: () => client.accounts.members.list(account_id),
    enabled: mode === 'restricted',
    retry: false,
  })
  const save = useMutation({
    mutationFn: () =>
      client.projects.apps.update(project_id, name, {
        access_mode: mode,
        ...(mode === 'password' && password !== '' && { password }),
        ...(mode === 'restricted' && { viewers: [...listed.map((user_id) => ({ user_id })), ...groups] }),
      }),
    onSuccess: async () => {
      toast('Changed. Visitors who were let in before have to come in again.')
      await queries.invalidateQueries({ queryKey: ['app', project_id, name] })
    },
  })
  const same =
    mode === access_mode && password === '' && (mode !== 'restricted' || listed.join() === before.join())
  const modes = Object.entries(modeWords)
  return (
    <section aria-labelledby="access" className="grid gap-2">
      <h2 id="access">Who may look</h2>
      <form
        className="card grid max-w-lg gap-3 p-3"
        aria-labelledby="access"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Select
          label="Access"
          value={mode}
          onChange={(next) => {
            const chosen = modes.find(([key]) => key === next)
            // Named boundary: the options are the keys of `modeWords`.
            if (chosen !== undefined) setMode(chosen[0] as Mode)
          }}
          options={modes}
        />
        {mode === 'password' && (
          <Field
            label={access_mode === 'password' ? 'New password (the old one stays without it)' : 'Password'}
            type="password"
            autoComplete="new-password"
            minLength={8}
            required={access_mode !== 'password'}
            value={password}
            onChange={setPassword}
          />
        )}
        {mode === 'restricted' && (
          <fieldset className="grid gap-1">
            <legend>People</legend>
            <Failure error={people.error} />
            {(people.data ?? []).map(({ user_id, name: person, email }) => (
              <label key={user_id} className="flex items-center gap-2">
                <input
                  type="checkbox"
                  checked={listed.includes(user_id)}
                  onChange={({ target }) =>
                    setListed(target.checked ? [...listed, user_id] : listed.filter((one) => one !== user_id))
                  }
                />
                {person === '' ? email : person}
              </label>
            ))}
            {groups.length > 0 && (
              <p className="faint">
                {groups.length === 1 ? '1 group of the directory stays' : `${groups.length} groups stay`}.
              </p>
            )}
          </fieldset>
        )}
        <p className="hint">Who may change the app may always look. A preview is never open to strangers.</p>
        <Failure error={save.error} />
        <p>
          <GuardedButton
            needs="project.app.write"
            type="submit"
            className="button primary"
            disabled={save.isPending || same}
          >
            Save
          </GuardedButton>
        </p>
      </form>
    </section>
  )
}
