import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import prettyPrint from 'pino-pretty'
import { maskFields, maskSecrets } from './mask.ts'
import { besideBound, boundOf, withOneKeyOnce } from './one-key-once.ts'

export type { Logger } from 'pino'

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'

export interface LoggerOptions {
  readonly name: string
  readonly level?: LogLevel
  /** Lines for a person at a terminal; a deployment reads JSON lines. */
  readonly pretty?: boolean
  readonly destination?: DestinationStream
}

const childSecrets = ['authorization', 'cookie', 'password', 'secret', 'token', 'access_token', 'api_key']

/** JSON lines on stdout. Children carry request_id, session_id or job_id: log.child({ request_id }). */
export function createLogger({ name, level = 'info', pretty = false, destination }: LoggerOptions): Logger {
  const stdout = destination ?? pino.destination({ dest: 1, sync: true })
  const logger = pino(
    {
      name,
      level,
      base: { name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => hide(fields),
      },
      // The fields of a child logger do not pass through formatters.
      redact: { paths: [...childSecrets], censor: '***' },
      // Errors are described together with the fields they stand in.
      serializers: { err: (described: unknown) => described },
      hooks: {
        streamWrite: maskSecrets,
        logMethod(args, method) {
          const [fields, ...rest] = args
          const isPlain = typeof fields === 'object' && fields !== null && !(fields instanceof Error)
          if (isPlain) method.call(this, besideBound(boundOf(this), { ...Object(fields) }), ...rest)
          else method.apply(this, args)
        },
      },
    },
    pretty ? prettyStream(stdout) : stdout,
  )
  return withOneKeyOnce(logger)
}

/** Writes in this thread: a line that was logged is on the terminal, even when the process ends right after. */
function prettyStream(stdout: DestinationStream): DestinationStream {
  const colors = process.stdout.isTTY && !process.env.NO_COLOR
  const format = prettyPrint.prettyFactory({
    colorize: colors,
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss',
  })
  return { write: (line: string) => stdout.write(format(line)) }
}

function hide(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(maskFields(fields, describeError) ?? {}))
}

/** Plain facts only: an error may carry the whole connection that it happened on. */
function describeError(error: Error): object {
  const facts = Object.entries(stdSerializers.err(error)).filter(
    ([, fact]) => typeof fact !== 'object' || fact === null,
  )
  return Object.fromEntries(facts)
}
