import { expect } from 'vitest'
import { connectorOf, localProviders, targetOf } from './target.ts'

export const openapi = localProviders().openapi ?? expect.fail()
const signal = AbortSignal.timeout(600_000)

/** A connector whose document, a value or its text, is a file of the repository. */
export function ofDocument(document: unknown, more = {}) {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  const readFile = async (path: string) => (path === 'api.json' ? new TextEncoder().encode(text) : null)
  return targetOf(connectorOf({ provider: 'openapi', spec: 'api.json', base_url: null, ...more }), {
    readFile,
  })
}

export function documentOf(paths: unknown, more = {}) {
  const info = { title: 'Pets', version: '1' }
  return { openapi: '3.0', info, servers: [{ url: 'https://api.example' }], paths, ...more }
}

export const list = (document: unknown, more = {}) => openapi.list(ofDocument(document, more), signal)
export const only = async (document: unknown) => (await list(document))[0] ?? expect.fail('no action')

/** The words with which a document is refused. */
export const refused = (document: unknown, more = {}) =>
  list(document, more).then(
    () => expect.fail('it was read'),
    (error: unknown) => String(Object(error).message),
  )
