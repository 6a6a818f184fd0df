import type { Connector } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { State } from '../../parts/state.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { ConnectForm } from './connect-form.tsx'
import { Connections } from './connections.tsx'
import { connectorRoute } from './route.tsx'
import { SignIn } from './sign-in.tsx'

/** One service: where it is, the accounts that it is used with, and what becomes of each of its actions. */
export function ConnectorPage() {
  const { project_id, slug } = connectorRoute.useParams()
  const { connectors } = useClient().projects
  const query = useQuery({
    queryKey: ['connector', project_id, slug],
    queryFn: () => connectors.get(project_id, slug),
  })
  return (
    <Page
      title={query.data?.name ?? slug}
      beside={query.data && <State of={query.data.status} />}
      up={{ to: `/projects/${project_id}/connectors`, label: 'Connectors' }}
      narrow
    >
      <Loaded query={query}>
        {(connector) => (
          <>
            {connector.error !== null && <p className="break-words">{connector.error}</p>}
            <dl className="facts">
              <dt>Provider</dt>
              <dd>{connector.provider}</dd>
              <dt>Address</dt>
              <dd className="break-words">{connector.address ?? 'none of its own'}</dd>
              <dt>Accounts</dt>
              <dd>{connector.authorization_strategy === 'user' ? 'each person’s own' : 'the project’s'}</dd>
            </dl>
            {(connector.takes_sign_in || connector.credential_fields.length > 0) && (
              <Connections project_id={project_id} slug={slug} title="Accounts" />
            )}
            {connector.provider === 'computer' && (
              <>
                <Connections project_id={project_id} slug={slug} title="Computers" />
                <Pairing slug={slug} />
              </>
            )}
            {connector.takes_sign_in && <SignIn project_id={project_id} connector={connector} />}
            {connector.credential_fields.length > 0 && (
              <>
                <ConnectForm
                  key={connector.connection?.connection_id}
                  project_id={project_id}
                  connector={connector}
                />
              </>
            )}
            <Actions project_id={project_id} connector={connector} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** A computer connects itself: there is nothing to fill in here. */
function Pairing({ slug }: { readonly slug: string }) {
  return (
    <section className="card grid gap-2 p-3" aria-label="Pair a computer">
      <p>On the computer, in the folder that sessions are to work with:</p>
      <pre className="overflow-x-auto">
        <code>svc connectors serve {slug}</code>
      </pre>
      <p className="hint">
        It dials out, so that no port is opened there. Reads run; writes ask a person. Commands can be run
        with <code>--allow-shell</code> alone.
      </p>
    </section>
  )
}

const words = {
  always_run: 'runs',
  require_approval: 'asks a person',
  block: 'blocked',
} as const

function Actions({ project_id, connector }: { readonly project_id: string; readonly connector: Connector }) {
  const { slug } = connector
  const { connectors } = useClient().projects
  const query = useQuery({
    queryKey: ['connector', project_id, slug, 'actions'],
    queryFn: () => connectors.actions(project_id, slug),
  })
  return (
    <section aria-labelledby="actions">
      <h2 id="actions">Actions</h2>
      <Loaded query={query}>
        {(actions) => (
          <ul className="grid gap-2">
            {actions.length === 0 && connector.status === 'needs_connection' && (
              <li className="faint">Its service says them once an account is connected.</li>
            )}
            {actions.length === 0 && connector.status === 'syncing' && (
              <li className="faint">
                Its service is being asked for them, which takes up to a minute; they appear here.
              </li>
            )}
            {actions.map(({ action, description, risk, state, decision, hidden }) => (
              <li key={action} className="card grid gap-1 p-3">
                <p className="flex flex-wrap items-center gap-2">
                  <code className="break-all">{action}</code>
                  <span className="faint">
                    {risk} · {hidden ? 'hidden from agents' : words[decision]}
                    {state === 'changed' && ' · changed since it was accepted'}
                  </span>
                </p>
                {description !== '' && <p className="break-words">{description}</p>}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}
