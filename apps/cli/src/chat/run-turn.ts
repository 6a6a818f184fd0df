import { ApiError, type Client, type RuntimeAction } from '@svc/sdk'
import type { Cli } from '../cli.ts'
import { OperationError } from '../failures.ts'
import { canAsk } from '../output/ask.ts'
import { answerRequest } from './answer.ts'
import { followTurn, type TurnEnd } from './turn.ts'
import { createTurnPrinter, type TurnPrinter } from './turn-printer.ts'

export interface Conversation {
  readonly cli: Cli
  readonly client: Client
  readonly project_id: string
  readonly session_id: string
}

const working = 'The agent is at work; Ctrl-C stops it'

/** Sends a message and shows the turn as it happens. Ctrl-C aborts the turn, a second one leaves it running or not. */
export async function runTurn(
  conversation: Conversation,
  text: string,
  after: number,
): Promise<{ end: TurnEnd; last_seq: number }> {
  const { cli, client, project_id, session_id } = conversation
  const printer = createTurnPrinter(cli)
  const left = new AbortController()
  let interrupts = 0
  const undo = cli.io.onInterrupt(() => {
    interrupts += 1
    if (interrupts > 1)
      return left.abort(new OperationError('left the turn', `svc sessions chat ${session_id}`))
    printer.note('Stopping the agent; Ctrl-C again leaves.')
    void act(conversation, { kind: 'stop' }, printer)
  })
  try {
    const { signal } = left
    const { prompt_id } = await client.projects.sessions.prompt(project_id, session_id, { text }, { signal })
    const read = followTurn(prompt_id)
    printer.wait(working)
    let last_seq = after
    for await (const event of client.projects.sessions.stream(project_id, session_id, { after, signal })) {
      last_seq = Math.max(last_seq, event.seq)
      for (const step of read(event)) {
        if (step.kind === 'end') return { end: step.end, last_seq }
        if (step.kind === 'text') printer.text(step.message_id, step.text)
        else if (step.kind === 'tool') printer.tool(step.line)
        else if (step.kind === 'note') printer.note(step.text)
        else {
          printer.endLine()
          if (!canAsk(cli.io))
            printer.note(`The agent asked for a ${step.request.kind}; refused, since this is not a terminal.`)
          await act(conversation, await answerRequest(cli.io, step.request), printer)
        }
        printer.wait(working)
      }
    }
    throw new OperationError('the event stream ended before the turn did', `svc sessions chat ${session_id}`)
  } finally {
    undo()
    printer.endLine()
  }
}

/** Best effort: the request may be answered elsewhere, or the sandbox gone, which the event log will tell. */
async function act(
  { client, project_id, session_id }: Conversation,
  action: RuntimeAction,
  printer: TurnPrinter,
): Promise<void> {
  try {
    const { external_id } = await client.projects.sessions.get(project_id, session_id)
    if (external_id === null) return printer.note('The sandbox is not there yet; the message stays queued.')
    await client.runtime.act(external_id, action)
  } catch (error) {
    const why = error instanceof ApiError || error instanceof Error ? error.message : String(error)
    printer.note(`Could not tell the agent: ${why}`)
  }
}
