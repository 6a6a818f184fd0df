import type { ConnectorAction, JsonObject } from '@svc/connector'
import { z } from 'zod'

const prop = z.looseObject({
  name: z.string(),
  type: z.string(),
  app: z.string().nullish(),
  label: z.string().nullish(),
  description: z.string().nullish(),
  optional: z.boolean().nullish(),
  hidden: z.boolean().nullish(),
  readOnly: z.boolean().nullish(),
  default: z.unknown().optional(),
  options: z.array(z.unknown()).nullish(),
})
type Prop = z.output<typeof prop>

export const component = z.looseObject({
  key: z.string().min(1),
  name: z.string().nullish(),
  description: z.string().nullish(),
  version: z.string().nullish(),
  configurable_props: z.array(prop).nullish(),
  annotations: z.looseObject({ readOnlyHint: z.unknown(), destructiveHint: z.unknown() }).partial().nullish(),
})

const schemas: Readonly<Record<string, JsonObject>> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  object: { type: 'object' },
  'string[]': { type: 'array', items: { type: 'string' } },
  'integer[]': { type: 'array', items: { type: 'integer' } },
  any: {},
}

/** A component with the schema of what its caller fills in; the account is filled in by the run. */
export function actionOf({
  key,
  name,
  description,
  version,
  configurable_props,
  annotations,
}: z.output<typeof component>): ConnectorAction {
  const props = configurable_props ?? []
  const filled = props.filter(({ type, hidden, readOnly }) => type in schemas && !hidden && !readOnly)
  const app = props.find(({ type }) => type === 'app')
  const { readOnlyHint, destructiveHint } = annotations ?? {}
  return {
    action: key,
    title: name ?? null,
    description: description ?? '',
    risk: readOnlyHint === true ? 'read' : destructiveHint === true ? 'destructive' : 'write',
    input_schema: {
      type: 'object',
      properties: Object.fromEntries(filled.map((one) => [one.name, schemaOf(one)])),
      required: filled.filter((one) => !one.optional && one.default === undefined).map((one) => one.name),
    },
    binding: { ...(version ? { version } : {}), ...(app ? { app_prop: app.name } : {}) },
  }
}

function schemaOf({ type, label, description, default: value, options }: Prop): JsonObject {
  const values = (options ?? []).map((option) =>
    typeof option === 'object' && option !== null && 'value' in option ? option.value : option,
  )
  const base = schemas[type] ?? {}
  const isList = base['type'] === 'array'
  return {
    ...base,
    ...(label ? { title: label } : {}),
    ...(description ? { description } : {}),
    ...(value === undefined ? {} : { default: value }),
    ...(values.length > 0 && !isList ? { enum: values } : {}),
  }
}
