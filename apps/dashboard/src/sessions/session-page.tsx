import { AskCard } from '../asks/ask-card.tsx'
import { useAsks } from '../asks/use-asks.ts'
import { Failure } from '../parts/failure.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { Composer } from './composer.tsx'
import { Conversation } from './conversation.tsx'
import { PromptQueue } from './prompt-queue.tsx'
import { SessionFacts } from './session-facts.tsx'
import { sessionName } from './session-name.ts'
import { StatePanel } from './state-panel.tsx'
import { usePromptQueue } from './use-prompt-queue.ts'
import { useLiveSession } from './use-live-session.ts'

/** A session to work in: its state, its conversation, the requests of its agent, and its next prompt. */
export function SessionPage(props: { readonly project_id: string; readonly session_id: string }) {
  const { project_id, session_id } = props
  const { session, transcript, streamError, askEnds, reread } = useLiveSession(project_id, session_id)
  const { asks, onSettled } = useAsks(project_id, session_id)
  const promptQueue = usePromptQueue(project_id, session_id)
  // The log has a prompt when it was sent; here it joins the conversation when its turn begins.
  const waits = (id: string) => promptQueue.data?.waiting.some(({ prompt_id }) => prompt_id === id) === true
  return (
    <Loaded query={session}>
      {(row) => (
        <>
          <PageTitle text={`Session ${sessionName(row)}`} />
          <StatePanel session={row} reread={reread} />
          <SessionFacts session={row} />
          <h2>Conversation</h2>
          <Failure error={streamError} />
          <Loaded query={transcript}>
            {({ messages }) => (
              <Conversation messages={messages.filter(({ message_id }) => !waits(message_id))} />
            )}
          </Loaded>
          <div aria-live="polite">
            <Loaded query={asks}>
              {(board) =>
                board.map((shown) => (
                  <AskCard
                    key={shown.ask.request_id}
                    session={row}
                    shown={shown}
                    end={askEnds.get(shown.ask.request_id)}
                    onSettled={onSettled}
                    reread={reread}
                  />
                ))
              }
            </Loaded>
          </div>
          <Loaded query={promptQueue}>
            {(prompts) => <PromptQueue session={row} prompts={prompts} reread={reread} />}
          </Loaded>
          {row.status !== 'completed' && <Composer session={row} reread={reread} />}
        </>
      )}
    </Loaded>
  )
}
