import { type Body, type Dialect, providerAddress } from '@svc/models'
import { z } from 'zod'
import type { Candidate } from '../call/candidates.ts'
import { hubOf } from './translated.ts'
import { vendorModel } from './vendors.ts'

const Sent = z.record(z.string(), z.unknown())

/** The body that a provider of another dialect would be sent. Nothing is sent. */
export async function vendorBody(given: {
  readonly candidate: Candidate
  readonly dialect: Pick<Dialect, 'name'>
  readonly body: Body
  readonly signal: AbortSignal
}): Promise<Readonly<Record<string, unknown>>> {
  const { provider, name } = given.candidate
  const hub = hubOf(given.dialect)
  if (hub === null || provider.kind === 'demo') throw new Error(`${provider.kind} is never translated to`)
  let written: string | null = null
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    written = String(init?.body ?? '')
    throw new Error('This body is not sent')
  }
  const model = vendorModel(provider.kind, { baseURL: providerAddress(provider), fetch }, name.id)
  const options = { ...hub.read(given.body, provider.kind), abortSignal: given.signal }
  try {
    await model.doGenerate(options)
  } catch (error) {
    if (written === null) throw error
  }
  return Sent.parse(JSON.parse(written ?? 'null'))
}
