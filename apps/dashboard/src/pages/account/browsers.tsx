import type { BrowserSession } from '@svc/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { RecordTable } from '../../records/record-table.tsx'
import { RemoveButton } from '../../records/remove-button.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { browserName } from './browser-name.ts'

const sources: Readonly<Record<BrowserSession['source'], string>> = {
  sign_in: 'your sign-in',
  app: 'an app that you approved',
  token: 'a token',
}

/** The browsers in which the person is signed in, each with its end. */
export function Browsers() {
  const { browsers } = useClient().auth
  const queries = useQueryClient()
  const list = useQuery({ queryKey: ['browsers'], queryFn: () => browsers.list() })
  return (
    <>
      <p className="hint">
        Each stays signed in for as long as it is used, and 90 days at most. End one that you do not know,
        then change your password.
      </p>
      <Loaded query={list}>
        {(found) => (
          <RecordTable
            caption="Signed-in browsers"
            empty="You are signed in in no browser"
            rows={found}
            keyOf={({ browser_session_id }) => browser_session_id}
            nameOf={({ user_agent }) => browserName(user_agent)}
            noteOf={({ source, current }) =>
              `${current ? 'This browser, opened' : 'Opened'} with ${sources[source]}`
            }
            columns={[
              { name: 'Signed in', cell: ({ created_at }) => <Moment at={created_at} /> },
              { name: 'Last used', cell: ({ last_seen_at }) => <Moment at={last_seen_at} /> },
              { name: 'Ends', cell: ({ expires_at }) => <Moment at={expires_at} /> },
            ]}
            actions={({ browser_session_id, user_agent, current }) => (
              <RemoveButton
                verb="End"
                of={browserName(user_agent)}
                said="That browser is signed out."
                run={() => browsers.end(browser_session_id)}
                onDone={() => queries.invalidateQueries({ queryKey: ['browsers'] })}
              >
                {current
                  ? 'This is the browser that you are in: you sign in again to go on.'
                  : 'It is signed out from its next request on. What was not sent there is lost.'}
              </RemoveButton>
            )}
          />
        )}
      </Loaded>
    </>
  )
}
