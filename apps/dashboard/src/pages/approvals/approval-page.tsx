import { visibleText } from '@svc/facts'
import type { Approval } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { State } from '../../parts/state.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { DecideForm } from './decide-form.tsx'
import { ruleText } from './rule-text.ts'
import { approvalRoute } from './route.tsx'

/** One frozen call of a connector with everything that is decided on, and the decision or the form for one. */
export function ApprovalPage() {
  const { project_id, call_id } = approvalRoute.useParams()
  const { approvals } = useClient().projects
  const query = useQuery({
    queryKey: ['approval', project_id, call_id],
    queryFn: () => approvals.get(project_id, call_id),
    // An approved call ends by itself a moment later.
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? 2000 : false),
  })
  const { data } = query
  return (
    <Page
      title={data === undefined ? 'Approval' : `${data.connector}.${data.action}`}
      beside={data && <State of={data.status} />}
      up={{ to: '/', label: 'Needs you' }}
      narrow
    >
      <Loaded query={query}>
        {(approval) => (
          <>
            <Frozen approval={approval} project_id={project_id} />
            {approval.status === 'pending' ? (
              <DecideForm approval={approval} project_id={project_id} />
            ) : (
              <Decided approval={approval} />
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

const isUnderWay = (approval: Approval | undefined): boolean =>
  approval?.outcome.status === 'approved' || approval?.outcome.status === 'executing'

function Frozen({ approval, project_id }: { readonly approval: Approval; readonly project_id: string }) {
  const { address, connection, rule, risk, args_text, digest, session_id, created_at, expires_at } = approval
  return (
    <section className="card grid gap-3 p-3" aria-label="The call">
      <dl className="facts">
        <dt>Goes to</dt>
        <dd className="break-words">{address ?? 'no address of its own'}</dd>
        <dt>As</dt>
        <dd>
          {connection === null ? 'no account: it needs none' : `${connection.label} (${connection.scope})`}
        </dd>
        <dt>Risk</dt>
        <dd>{risk}</dd>
        <dt>Asked because</dt>
        <dd>{ruleText(rule)}</dd>
        <dt>Asked</dt>
        <dd>
          <Moment at={created_at} />
          {session_id !== null && (
            <>
              {' by '}
              <Link to="/projects/$project_id/sessions/$session_id" params={{ project_id, session_id }}>
                its session
              </Link>
            </>
          )}
        </dd>
        <dt>Expires</dt>
        <dd>
          <Moment at={expires_at} />
        </dd>
      </dl>
      <div>
        <h2>Arguments</h2>
        <pre className="block max-h-none!" tabIndex={0} role="group" aria-label="Arguments">
          {args_text === null ? 'They were erased.' : visibleText(args_text)}
        </pre>
      </div>
      <p className="faint break-all">Digest {digest}</p>
    </section>
  )
}

function Decided({ approval }: { readonly approval: Approval }) {
  const { status, decided_at, message, outcome } = approval
  return (
    <section className="card grid gap-2 p-3" aria-labelledby="decided">
      <h2 id="decided">
        {status}
        {decided_at !== null && (
          <span className="faint">
            {' '}
            <Moment at={decided_at} />
          </span>
        )}
      </h2>
      {message !== null && <p>{message}</p>}
      {status === 'approved' && (
        <p>
          The call: {outcome.status.replaceAll('_', ' ')}
          {outcome.reason !== null && ` (${outcome.reason.replaceAll('_', ' ')})`}
        </p>
      )}
    </section>
  )
}
