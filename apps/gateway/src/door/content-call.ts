import { refuse } from './refusal.ts'

const methods = ['generateContent', 'streamGenerateContent', 'countTokens'] as const

/** The model and the method of an address of Google's form: `svc/demo:streamGenerateContent`. */
export function contentCall(said: string): { model: string; method: (typeof methods)[number] } {
  const colon = said.lastIndexOf(':')
  const method = methods.find((name) => name === said.slice(colon + 1))
  if (colon < 1 || method === undefined)
    throw refuse(404, 'not_found', `There is no method here but ${methods.join(', ')} of a model`)
  return { model: said.slice(0, colon), method }
}
