import type { ComputerTool, JsonObject } from '@svc/connector'

export interface ToolRun {
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
}

interface ToolAnswer {
  readonly data: unknown
  readonly truncated?: boolean
}

/** A tool that this machine serves. Throws `InvalidArguments` before it does anything, and any error where it fails. */
export interface LocalTool extends ComputerTool {
  readonly run: (args: JsonObject, run: ToolRun) => Promise<ToolAnswer>
}

/** Arguments that a tool refuses, with words that say which and why. */
export class InvalidArguments extends Error {
  override readonly name = 'InvalidArguments'
}

/** A failure of which the tool itself has data to give. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure'
  readonly data: unknown

  constructor(message: string, data: unknown) {
    super(message)
    this.data = data
  }
}

export function textArgument(args: JsonObject, name: string): string {
  const value = args[name]
  if (typeof value === 'string' && !value.includes('\0')) return value
  throw new InvalidArguments(`\`${name}\` must be a text`)
}

export function optionalText(args: JsonObject, name: string): string | undefined {
  return args[name] === undefined ? undefined : textArgument(args, name)
}

export function optionalNumber(args: JsonObject, name: string, min: number, max: number): number | undefined {
  const value = args[name]
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
  throw new InvalidArguments(`\`${name}\` must be a whole number from ${min} to ${max}`)
}

/** The schema of an object with these properties, all of them known. */
export function objectSchema(properties: JsonObject, required: readonly string[]): Record<string, unknown> {
  return { type: 'object', properties, required, additionalProperties: false }
}
