import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useMe } from '../../frame/use-me.ts'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { Page } from '../../parts/page.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { tokenIn } from '../../tokens/token-in.ts'

/** Joins the account that the person is invited to. */
export function InvitationsPage() {
  const { accounts } = useClient()
  const { data: me } = useMe()
  const queries = useQueryClient()
  const [text, setText] = useState(() => (location.hash === '' ? '' : tokenIn(location.hash)))
  // The token stays in no history.
  useEffect(() => history.replaceState(history.state, '', location.pathname), [])
  const join = useMutation({
    mutationFn: () => accounts.invitations.accept(tokenIn(text)),
    onSuccess: () => queries.invalidateQueries(),
  })
  return (
    <Page title="Accept an invitation" narrow>
      {join.data !== undefined ? (
        <div role="status" className="grid justify-items-start gap-3">
          <p className="notice ok" dir="auto">
            You are in {join.data.name} now, as {join.data.role}.
          </p>
          <Link to="/projects" className="button primary">
            Projects
          </Link>
        </div>
      ) : (
        <form
          className="grid max-w-lg gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            if (!join.isPending) join.mutate()
          }}
        >
          <p className="hint">
            An invitation is for one address{me?.email !== undefined && <>, and you are here as {me.email}</>}
            . It works once, within seven days.
          </p>
          <Field
            label="Invitation"
            value={text}
            onChange={setText}
            required
            autoComplete="off"
            spellCheck={false}
            hint="The link that you were given, or its token."
          />
          <Failure error={join.error} />
          <p>
            <button
              type="submit"
              className="button primary"
              disabled={join.isPending || tokenIn(text) === ''}
            >
              Join
            </button>
          </p>
        </form>
      )}
    </Page>
  )
}
