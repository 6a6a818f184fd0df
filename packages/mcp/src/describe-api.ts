import type { ApiDocument, ApiOperation } from './document.ts'

const refPrefix = '#/components/schemas/'

/** The call and the answer of an operation, with its schemas written out. */
export function describeOperation(document: ApiDocument, operation: ApiOperation) {
  const { method, path, operationId, summary, description, parameters, requestBody, responses } = operation
  const schemaIn = (content: Readonly<Record<string, { readonly schema?: unknown }>> | undefined) =>
    writtenOut(document, content?.['application/json']?.schema)
  const statuses = Object.entries(responses)
  return {
    method,
    path,
    operation_id: operationId,
    summary,
    description,
    parameters: parameters.map(({ name, in: place, required, description: text, schema }) => ({
      name,
      in: place,
      required,
      description: text,
      schema: writtenOut(document, schema),
    })),
    body: requestBody && { required: requestBody.required, schema: schemaIn(requestBody.content) },
    answers: statuses.map(([status, { description: text, content }]) => ({
      status: Number(status),
      description: text,
      // Every refusal has the one shape of Error, which call_api shows anyway.
      schema: Number(status) < 300 ? schemaIn(content) : undefined,
    })),
  }
}

/** Replaces references by the schemas that they name; a schema inside itself stays a reference. */
function writtenOut(document: ApiDocument, schema: unknown, inside: readonly string[] = []): unknown {
  if (Array.isArray(schema)) return schema.map((part) => writtenOut(document, part, inside))
  if (typeof schema !== 'object' || schema === null) return schema
  const ref: unknown = '$ref' in schema ? schema.$ref : undefined
  if (typeof ref === 'string' && ref.startsWith(refPrefix)) {
    const name = ref.slice(refPrefix.length)
    if (inside.includes(name) || !Object.hasOwn(document.schemas, name)) return schema
    return writtenOut(document, document.schemas[name], [...inside, name])
  }
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, writtenOut(document, value, inside)]),
  )
}
