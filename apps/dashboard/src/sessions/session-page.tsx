import type { TranscriptMessage } from '@svc/sdk'
import { Badge } from '../parts/badge.tsx'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { sessionName } from './session-name.ts'
import { useLiveSession } from './use-live-session.ts'

/** A session and its conversation, to read. */
export function SessionPage(props: { readonly project_id: string; readonly session_id: string }) {
  const { session, transcript, live, streamError } = useLiveSession(props.project_id, props.session_id)
  return (
    <>
      <Loaded query={session}>
        {(row) => (
          <>
            <PageTitle text={`Session ${sessionName(row)}`} />
            <dl className="facts">
              <dt>Status</dt>
              <dd aria-live="polite">
                <Badge status={row.status} /> {row.stop_reason ?? row.failure?.message ?? row.error}
              </dd>
              <dt>Agent</dt>
              <dd>{row.model === null ? row.agent_name : `${row.agent_name} with ${row.model}`}</dd>
              <dt>Branch</dt>
              <dd>
                <code>{row.branch_name}</code> from <code>{row.base_ref}</code>
              </dd>
              <dt>Created</dt>
              <dd>
                <Moment at={row.created_at} /> by {row.origin}
              </dd>
              <dt>Id</dt>
              <dd>
                <code>{row.session_id}</code>
              </dd>
            </dl>
          </>
        )}
      </Loaded>
      <h2>Conversation</h2>
      <Failure error={streamError} />
      <Loaded query={transcript}>
        {({ messages }) =>
          messages.length === 0 ? (
            <Empty title={live ? 'Nothing was said yet: it appears here.' : 'Nothing was said.'}>
              <p>
                Say something with <code>svc sessions chat {props.session_id.slice(0, 8)}</code>.
              </p>
            </Empty>
          ) : (
            <ol className="conversation" role="log" aria-label="Conversation">
              {messages.map((message) => (
                <Message key={message.message_id} message={message} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </>
  )
}

function Message({ message }: { readonly message: TranscriptMessage }) {
  const { role, at, text, tools, error } = message
  return (
    <li className={role}>
      <p className="hint">
        <strong>{role === 'user' ? 'Asked' : 'Agent'}</strong> <Moment at={at} />
      </p>
      {text !== '' && <p className="said">{text}</p>}
      {tools.map(({ tool, status, title, input, output }, index) => (
        <details key={index}>
          <summary>
            <code>{tool}</code> {title} <Badge status={status} />
          </summary>
          <pre>{typeof input === 'string' ? input : JSON.stringify(input, null, 2)}</pre>
          {output !== null && <pre>{output}</pre>}
        </details>
      ))}
      {error !== null && <p className="failure">{error}</p>}
    </li>
  )
}
