import type { z } from 'zod'

type JsonOf<R> = R extends { content: { 'application/json': { schema: infer S extends z.ZodType } } }
  ? S
  : never

/** The body that the route answers with on success; void when it has none. */
export type AnswerOf<Route> = Route extends { responses: infer A }
  ? A extends { 204: unknown }
    ? void
    : z.output<JsonOf<A[keyof A & (200 | 201 | 202)]>>
  : never

type RequestOf<Route> = Route extends { request: infer R } ? R : unknown

export type ParamsOf<Route> =
  RequestOf<Route> extends { params: infer S extends z.ZodType } ? z.output<S> : undefined

/** Coerced query values have no input type of their own, so the parsed types are taken with the input's optionality. */
export type QueryOf<Route> =
  RequestOf<Route> extends { query: infer S extends z.ZodType }
    ? {
        [K in keyof z.input<S>]: K extends keyof z.output<S>
          ? Exclude<z.output<S>[K], undefined> | undefined
          : never
      }
    : undefined

/** Preprocessed bodies accept anything as input; their parsed type is the real one. */
export type BodyOf<Route> =
  RequestOf<Route> extends { body: infer B }
    ? unknown extends z.input<JsonOf<B>>
      ? z.output<JsonOf<B>>
      : z.input<JsonOf<B>>
    : undefined

/** "GET /v1/projects/{project_id}": a method and path that the contract has. */
export type OperationOf<Route> = Route extends {
  method: infer M extends string
  path: infer P extends string
}
  ? `${Uppercase<M>} ${P}`
  : never
