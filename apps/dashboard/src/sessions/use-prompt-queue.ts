import type { InboxPrompt } from '@svc/sdk'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../sign-in/signed-in.tsx'
import { waitingPrompts } from './waiting-prompts.ts'

const againMs = 3_000

/**
 * The prompts that the agent was sent and has not answered. Taking a prompt up leaves no event, so it is read again
 * while some wait.
 */
export function usePromptQueue(project_id: string, session_id: string) {
  const { prompts } = useClient().projects.sessions
  return useQuery({
    queryKey: ['session', session_id, 'prompt-queue'],
    queryFn: async () => {
      const read = async (state: InboxPrompt['state']) =>
        (await prompts.list(project_id, session_id, { state, limit: 200 })).items
      // One after another, or a prompt could be in none of them.
      const pending = await read('pending')
      const delivered = await read('delivered')
      return waitingPrompts(pending, delivered, await read('running'))
    },
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && (data.running !== undefined || data.waiting.length > 0) && againMs,
  })
}
