import { reasons } from '@svc/connector'
import { errorCodes } from '@svc/errors'
import { z } from 'zod'

const message = z.string()

/** The answer of an executor to the API: what a verb of it returned, or what it threw. */
export const Answer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), result: z.unknown().optional() }),
  z.object({
    kind: z.literal('refused'),
    code: z.enum(errorCodes),
    message,
    details: z.record(z.string(), z.unknown()),
  }),
  z.object({ kind: z.literal('upstream'), reason: z.enum(reasons), message }),
  /** A defect; its log has it. */
  z.object({ kind: z.literal('failed'), message }),
  /** It leaves, or the request is none of ours. */
  z.object({ kind: z.literal('unavailable'), message }),
])
export type Answer = z.infer<typeof Answer>

export const SignInBegun = z.object({
  issuer: z.string().nullable(),
  resource: z.string().nullable(),
  authorization_url: z.string(),
  state_hash: z.string(),
  sealed_verifier: z.string(),
})

export const SignInFinished = z.object({
  sealed_credential: z.string().nullable(),
  external_ref: z.string().nullable(),
  field_names: z.array(z.string()),
  expires_at: z.string().nullable(),
  origin: z.string().nullable(),
})
