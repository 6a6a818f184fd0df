import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps, type RequestOptions } from 'node:https'
import { createInterface } from 'node:readline'
import type { V1Pod } from '@kubernetes/client-node'
import { z } from 'zod'
import type { Connection } from './connect.ts'

const Event = z.object({ type: z.string(), object: z.custom<V1Pod>((value) => typeof value === 'object') })

/** A server that keeps a watch open without a word is asked again. */
const watchSeconds = 20

/**
 * The changes of one pod, null when it is deleted, until the server ends the watch, the connection is cut or the signal
 * aborts. The client's own watch cannot be given up before the server's first byte.
 */
export async function* watchPod(
  { config, namespace, server }: Connection,
  name: string,
  resourceVersion: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<V1Pod | null> {
  const url = new URL(`${server}/api/v1/namespaces/${namespace}/pods`)
  url.searchParams.set('watch', 'true')
  url.searchParams.set('fieldSelector', `metadata.name=${name}`)
  url.searchParams.set('timeoutSeconds', String(watchSeconds))
  if (resourceVersion !== undefined) url.searchParams.set('resourceVersion', resourceVersion)
  const options: RequestOptions = {}
  await config.applyToHTTPSOptions(options)
  const ends = AbortSignal.any([signal, AbortSignal.timeout((watchSeconds + 5) * 1000)])
  const response = await open(url, { ...options, signal: ends })
  try {
    if (response.statusCode !== 200) return
    for await (const line of createInterface({ input: response })) {
      const event = Event.parse(JSON.parse(line))
      if (event.type === 'DELETED') yield null
      else if (event.type === 'ADDED' || event.type === 'MODIFIED') yield event.object
      else return
    }
  } finally {
    response.destroy()
  }
}

function open(url: URL, options: RequestOptions): Promise<IncomingMessage> {
  const request = url.protocol === 'http:' ? requestHttp : requestHttps
  return new Promise((resolve, reject) => {
    request(url, options, resolve).on('error', reject).end()
  })
}
