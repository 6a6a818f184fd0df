import { z } from '@hono/zod-openapi'
import { changeRequestMachine } from '@svc/change-request'
import { type SummaryState, summaryStates } from '@svc/session'
import { Timestamp } from '../kit/common.ts'

export const SessionSummary = z
  .object({
    session_id: z.uuid(),
    title: z.string().openapi({
      description: 'The name, else the first line of the first prompt, of at most 80 characters',
    }),
    state: z.enum(summaryStates),
    phrase: z.string().openapi({ description: 'What it does or waits for, in a few words' }),
    agent_name: z.string(),
    model: z.string().nullable(),
    created_by: z.uuid(),
    created_at: Timestamp,
    last_event_at: Timestamp.nullable(),
    cost_micros: z.int().openapi({ description: 'Micro-dollars that its runtime has told of' }),
    change_request: z
      .object({
        cr_id: z.uuid(),
        number: z.int(),
        title: z.string(),
        status: z.enum(changeRequestMachine.states),
      })
      .nullable()
      .openapi({ description: 'The newest one that it opened' }),
    labels: z.array(z.string()),
  })
  .openapi('SessionSummary')

const Count = z.int().nonnegative()

export const SummaryCounts = z
  .object({
    total: Count,
    ...(Object.fromEntries(summaryStates.map((state) => [state, Count])) as Record<
      SummaryState,
      typeof Count
    >),
  })
  .openapi('SummaryCounts')
