import { type Command, InvalidArgumentError } from 'commander'

/** The word that lifts a limit. */
const lifted = 'none'
type Lifted = typeof lifted

export interface LimitFlags {
  readonly requestsPerMinute?: number | Lifted
  readonly tokensPerMinute?: number | Lifted
  readonly concurrency?: number | Lifted
  readonly models?: readonly string[] | Lifted
}

/** Flags for the limits of a key; `none` lifts one. */
export function limitFlags(command: Command): Command {
  return command
    .option('--requests-per-minute <n>', 'calls that may begin within a minute; none for any number', count)
    .option('--tokens-per-minute <n>', 'tokens of the calls of a minute; none for any number', count)
    .option('--concurrency <n>', 'calls that may run at a time; none for any number', count)
    .option('--models <globs>', 'the models that it may name, such as acme/*,demo; none for every one', globs)
}

/** The limits that the flags name, as a body has them. */
export function limitsOf({ requestsPerMinute, tokensPerMinute, concurrency, models }: LimitFlags) {
  const limits = {
    ...(requestsPerMinute === undefined ? {} : { requests_per_minute: orNull(requestsPerMinute) }),
    ...(tokensPerMinute === undefined ? {} : { tokens_per_minute: orNull(tokensPerMinute) }),
    ...(concurrency === undefined ? {} : { concurrency: orNull(concurrency) }),
    ...(models === undefined ? {} : { models: models === lifted ? null : [...models] }),
  }
  return Object.keys(limits).length === 0 ? {} : { limits }
}

function orNull(limit: number | Lifted): number | null {
  return limit === lifted ? null : limit
}

function count(text: string): number | Lifted {
  if (text === lifted) return lifted
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('give a number from 1 on, or none.')
  return Number(text)
}

function globs(text: string): readonly string[] | Lifted {
  if (text === lifted) return lifted
  const list = text
    .split(',')
    .map((glob) => glob.trim())
    .filter(Boolean)
  if (list.length === 0) throw new InvalidArgumentError('give models such as acme/*,demo, or none.')
  return list
}
