import { z } from 'zod'
import { risks } from './shapes.ts'

/**
 * The protocol of a paired computer: JSON in text frames of one WebSocket, which the computer opens. It says `hello` with
 * its tools, again where they change; the platform sends calls. A call that is sent again under the same `call_id` is
 * answered as it was the first time, and never run again.
 */
export const computerProtocol = 'svc.computer.v1'

/** Sizes in bytes, times in milliseconds. */
export const computerLimits = {
  frame_bytes: 8 * 1024 * 1024,
  answer_bytes: 1024 * 1024,
  tools: 5_000,
  /** The platform asks so often whether the computer is there, */
  ping_ms: 20_000,
  /** and either side gives a connection up on which nothing came for so long. */
  silence_ms: 60_000,
} as const

/** Codes with which the platform ends a connection. After `replaced` and `removed` a computer does not dial again. */
export const computerEnds = { goingAway: 1001, replaced: 4001, removed: 4002 } as const

const object = z.record(z.string(), z.unknown())
const call_id = z.string().min(1).max(200)

const tool = z.object({
  action: z.string().min(1).max(200),
  title: z.string().nullable(),
  description: z.string(),
  risk: z.enum(risks),
  input_schema: object,
})
export type ComputerTool = z.output<typeof tool>

const computerResult = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), data: z.unknown(), truncated: z.boolean() }),
  z.object({
    ok: z.literal(false),
    reason: z.enum([
      'action_not_found',
      'invalid_arguments',
      'upstream_error',
      'call_cancelled',
      'outcome_unknown',
    ]),
    message: z.string(),
    data: z.unknown().optional(),
  }),
])
export type ComputerResult = z.output<typeof computerResult>

const fromComputer = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    name: z.string().max(200),
    tools: z.array(tool).max(computerLimits.tools),
  }),
  z.object({ type: z.literal('progress'), call_id, text: z.string() }),
  z.object({ type: z.literal('result'), call_id, result: computerResult }),
  z.object({ type: z.literal('pong') }),
])
export type FrameFromComputer = z.output<typeof fromComputer>

const toComputer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('call'), call_id, action: z.string(), args: object }),
  z.object({ type: z.literal('cancel'), call_id }),
  z.object({ type: z.literal('ping') }),
])
export type FrameToComputer = z.output<typeof toComputer>

/** The frame in `text`, null where it is none that the platform knows. */
export function frameFromComputer(text: string): FrameFromComputer | null {
  return fromComputer.safeParse(jsonOf(text)).data ?? null
}

/** The frame in `text`, null where it is none that a computer knows. */
export function frameToComputer(text: string): FrameToComputer | null {
  return toComputer.safeParse(jsonOf(text)).data ?? null
}

/** A result that was kept as text, null where it cannot be read. */
export function keptResult(value: unknown): ComputerResult | null {
  return computerResult.safeParse(value).data ?? null
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
