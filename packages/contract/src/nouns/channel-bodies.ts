import { z } from '@hono/zod-openapi'
import { writerDecisions } from '@svc/channel/states'
import { text } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { limits } from '../kit/limits.ts'

export const DecideChannelDelivery = z
  .strictObject({
    decision: z.enum(writerDecisions).openapi({
      description:
        '`allow`: this message. `always`: this one, and all that its sender writes in the thread. `deny`: refused',
    }),
  })
  .openapi('DecideChannelDelivery', { example: { decision: 'allow' } })

export const SendChannelMessage = z
  .strictObject({
    thread_id: z.uuid().optional(),
    conversation: text(255).min(1).optional().openapi({ description: 'By its id at the platform' }),
    text: text(limits.channelTextLength).min(1),
    idempotency_key: text(200).min(1).optional(),
  })
  .refine(
    ({ thread_id, conversation }) => thread_id === undefined || conversation === undefined,
    'must name just one of thread_id and conversation',
  )
  .openapi('SendChannelMessage', { example: examples.sendChannelMessage })

const UploadedFile = z
  .custom<File>((value) => value instanceof File, 'must be a file')
  .openapi({ type: 'string', format: 'binary' })

/** A part that occurs once comes as it is, and one that occurs again as a list. */
const listed = (value: unknown): unknown => (value === undefined || Array.isArray(value) ? value : [value])

export const SendChannelFiles = z
  .strictObject({
    message: z.preprocess(parsedJson, SendChannelMessage),
    file: z.preprocess(listed, z.array(UploadedFile).min(1).max(limits.channelFiles)),
  })
  .openapi('SendChannelFiles')

function parsedJson(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
