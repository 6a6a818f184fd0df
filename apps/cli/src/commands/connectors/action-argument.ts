import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { Io } from '../../io.ts'
import { UsageError } from '../../failures.ts'
import { readGivenFile } from '../../output/given-file.ts'
import { isObject, type JsonObject } from '../../json-values.ts'

export interface NamedAction {
  readonly connector: string
  readonly action: string
}

export interface ArgsFlags {
  readonly args?: string
  readonly file?: string
}

export function actionArgument(command: Command): Command {
  return command.argument('<connector.action>', 'as svc connectors tools lists it')
}

/** No slug has a dot; an action may have some. */
export function namedAction(given: string): NamedAction {
  const at = given.indexOf('.')
  if (at > 0 && at < given.length - 1) return { connector: given.slice(0, at), action: given.slice(at + 1) }
  throw new UsageError(
    `${given} is not <connector>.<action>`,
    'such as tracker.create_issue; `svc connectors tools` lists them',
  )
}

export function argsFlags(command: Command): Command {
  return command
    .option('--args <json>', 'the arguments, an object; - reads it from stdin')
    .option('-f, --file <path>', 'the arguments, from a file')
}

/** The arguments of a call; none when neither flag is given. */
export async function readArgs(io: Io, { args, file }: ArgsFlags): Promise<JsonObject> {
  if (args !== undefined && file !== undefined)
    throw new UsageError('--args and --file exclude each other', 'give one of them')
  if (file !== undefined)
    return parsed((await readGivenFile(resolve(io.cwd, file), file)).toString('utf8'), file)
  if (args === undefined) return {}
  return args === '-' ? parsed(await text(io.stdin), 'stdin') : parsed(args, '--args')
}

function parsed(json: string, from: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${from} is no JSON: ${why}`, 'check its quotes and commas')
  }
  if (isObject(value)) return value
  throw new UsageError(`${from} is no JSON object`, `such as --args '{"title": "Broken build"}'`)
}
