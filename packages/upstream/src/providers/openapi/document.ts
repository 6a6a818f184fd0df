import { load } from 'js-yaml'
import { upstreamLimits } from '../../wire/limits.ts'
import { isObject, unreadable } from '../catalogue/words.ts'

/** A document in JSON or YAML. Throws `UpstreamRefusal` for one that is neither, or too large to be read as YAML. */
export function parsedDocument(bytes: Buffer): unknown {
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  const isJson = /^\s*[{[]/.test(text)
  if (!isJson && bytes.length > upstreamLimits.yaml_bytes)
    throw unreadable(
      `The document is YAML of more than ${upstreamLimits.yaml_bytes / 1024 / 1024} MiB: convert it to JSON.`,
    )
  try {
    return isJson ? JSON.parse(text) : load(text)
  } catch (error) {
    const words = error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''
    throw unreadable(`The document is neither JSON nor YAML (${words.slice(0, 200)}): correct it.`)
  }
}

/** A document of OpenAPI 3.0 or 3.1. Throws `UpstreamRefusal` for any other. */
export function openapiDocument(bytes: Buffer): Readonly<Record<string, unknown>> {
  const document = parsedDocument(bytes)
  if (!isObject(document)) throw unreadable('The document describes no API: name one of OpenAPI 3.0 or 3.1.')
  if (document['swagger'] !== undefined)
    throw unreadable('The document is of OpenAPI 2.0 (Swagger), which is not read: convert it to 3.x.')
  const version = document['openapi']
  if (typeof version !== 'string' || !/^3\.[01](?:\.|$)/.test(version))
    throw unreadable(
      `The document names ${version === undefined ? 'no version in `openapi`' : `version ${JSON.stringify(version).slice(0, 20)}`}: OpenAPI 3.0 and 3.1 are read.`,
    )
  return document
}
