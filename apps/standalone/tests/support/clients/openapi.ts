import { z } from 'zod'

const Reference = z.object({ $ref: z.string().transform((ref) => ref.split('/').at(-1) ?? '') })
const Json = z.object({ schema: z.union([Reference, z.object({ example: z.unknown().optional() })]) })
const Body = z.object({ content: z.object({ 'application/json': Json.optional() }).loose() })
const Operation = z.object({ operationId: z.string(), requestBody: Body.optional() }).loose()
const Document = z.object({
  openapi: z.string(),
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({
    schemas: z.record(z.string(), z.object({ example: z.unknown().optional() }).loose()),
  }),
})

export interface PublishedOperation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly has_body: boolean
  /** A body that the document gives as an example. */
  readonly example: unknown
}

export interface PublishedApi {
  readonly servers: readonly string[]
  readonly operations: readonly PublishedOperation[]
}

/** The API as the platform itself describes it. */
export async function readOpenApi(origin: string): Promise<PublishedApi> {
  const document = Document.parse(await (await fetch(`${origin}/v1/openapi.json`)).json())
  return {
    servers: document.servers.map(({ url }) => url),
    operations: Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: operation.operationId,
        method: method.toUpperCase(),
        path,
        has_body: operation.requestBody !== undefined,
        example: exampleOf(document, operation.requestBody),
      })),
    ),
  }
}

function exampleOf(document: z.infer<typeof Document>, body: z.infer<typeof Body> | undefined): unknown {
  const schema = body?.content['application/json']?.schema
  if (schema === undefined) return undefined
  return '$ref' in schema ? document.components.schemas[schema.$ref]?.example : schema.example
}

/** Bodies that would be accepted, so that a refusal is about the caller. */
export function acceptableBody({ name, example }: PublishedOperation, session_id: string): unknown {
  const bodies: Readonly<Record<string, unknown>> = {
    createToken: { name: 'x' },
    connectProject: { name: 'x', repo_url: 'https://127.0.0.1/x.git' },
    provisionProject: { name: 'x' },
    createSecret: { name: 'STOLEN', value: 'y' },
    putSecret: { value: 'y' },
    promptSession: { text: 'hello' },
    answerAsk: { reply: 'once' },
    createChangeRequest: { title: 'x', head_ref: session_id },
    requestChanges: { feedback: 'x' },
    createTrigger: { slug: 'x', type: 'cron' },
    setTriggerActivation: { paused: false },
    updateProject: { name: 'taken over' },
    updateSession: { name: 'taken over' },
    updateChangeRequest: { title: 'taken over' },
    reportTurnStream: { session_id, kind: 'execution_lease_discover' },
    reportTurnQuestion: { session_id, request_id: 'x', questions: [] },
    reportTurnPermission: { session_id, request_id: 'x', permission: 'bash', patterns: [] },
  }
  return bodies[name] ?? example ?? {}
}
