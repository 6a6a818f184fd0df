import type { TranscriptMessage } from '@svc/sdk'
import { Badge } from '../parts/badge.tsx'
import { Moment } from '../parts/moment.tsx'

/** Spoken as it grows: it is there before anything is in it. */
export function Conversation({ messages }: { readonly messages: readonly TranscriptMessage[] }) {
  return (
    <div role="log" aria-label="Conversation">
      {messages.length === 0 ? (
        <p className="hint">Nothing was said yet.</p>
      ) : (
        <ol className="conversation">
          {messages.map((message) => (
            <Message key={message.message_id} message={message} />
          ))}
        </ol>
      )}
    </div>
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
