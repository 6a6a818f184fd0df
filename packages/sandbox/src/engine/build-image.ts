import type { Readable } from 'node:stream'
import { SandboxError } from '../sandbox-error.ts'
import type { Engine } from './engine.ts'
import { toEngineError } from './engine-errors.ts'

export interface ImageBuild {
  readonly tag: string
  /** The name of the thing that is built, for the person who reads a failure. */
  readonly what: string
  readonly context: Readable
  readonly dockerfile: string
  readonly labels: Readonly<Record<string, string>>
  readonly network: string
  readonly memory_mb?: number | undefined
  readonly cpu?: number | undefined
  readonly arguments?: Readonly<Record<string, string>> | undefined
  /** True where nothing of an earlier build may be taken, as that may be another project's. */
  readonly fresh?: boolean
  readonly signal?: AbortSignal
  /** Given the log, line by line, as it comes. */
  readonly say?: (line: string) => void
}

const buildDeadlineMs = 15 * 60_000
const tailChars = 4_000
const cpuPeriod = 100_000

interface Progress {
  readonly stream?: string
  readonly status?: string
  readonly error?: string
}

/** Builds an image; a build that fails is an `image` failure with the end of its log. */
export async function buildImage(engine: Engine, build: ImageBuild): Promise<void> {
  const { tag, context, dockerfile, labels, network, memory_mb } = build
  const unread = new AbortController()
  context.once('error', (error) => unread.abort(error))
  let output: NodeJS.ReadableStream
  try {
    output = await engine.docker.buildImage(context, {
      t: tag,
      dockerfile,
      labels: { ...labels },
      networkmode: network,
      forcerm: true,
      ...(memory_mb === undefined
        ? {}
        : { memory: memory_mb * 1024 * 1024, memswap: memory_mb * 1024 * 1024 }),
      ...(build.cpu === undefined
        ? {}
        : { cpuperiod: cpuPeriod, cpuquota: Math.round(build.cpu * cpuPeriod) }),
      ...(build.arguments === undefined ? {} : { buildargs: { ...build.arguments } }),
      ...(build.fresh === true ? { nocache: true } : {}),
      abortSignal: AbortSignal.any([deadlineOf(build.signal), unread.signal]),
    })
  } catch (error) {
    unread.signal.throwIfAborted()
    throw toEngineError(error, `Building ${build.what}`)
  }
  const log = await followed(engine, output, `Building ${build.what}`, build.say).finally(() =>
    unread.signal.throwIfAborted(),
  )
  build.signal?.throwIfAborted()
  if (log.error === null) return
  throw new SandboxError(
    'image',
    `${build.what} could not be built: ${log.error}\n${log.text.slice(-tailChars)}`.trim(),
  )
}

function deadlineOf(signal: AbortSignal | undefined): AbortSignal {
  const deadline = AbortSignal.timeout(buildDeadlineMs)
  return signal === undefined ? deadline : AbortSignal.any([signal, deadline])
}

/** Fetches an image, also anew. */
export async function pullImage(engine: Engine, image: string, signal?: AbortSignal): Promise<void> {
  let output: NodeJS.ReadableStream
  try {
    output = await engine.docker.pull(withTag(image), { abortSignal: deadlineOf(signal) })
  } catch (error) {
    const { message } = toEngineError(error, 'The engine refused')
    throw new SandboxError('image', `The image ${image} is not here and could not be fetched. ${message}`, {
      cause: error,
    })
  }
  const log = await followed(engine, output, `Fetching ${image}`)
  if (log.error !== null)
    throw new SandboxError('image', `The image ${image} could not be fetched: ${log.error}`)
}

/** Puts an image of the engine into the registry that its name says. */
export async function pushImage(
  engine: Engine,
  image: string,
  login: string | null,
  signal: AbortSignal,
): Promise<void> {
  const [username = '', password = ''] = login?.split(/:(.*)/s) ?? []
  let output: NodeJS.ReadableStream
  try {
    output = await engine.docker.getImage(image).push({
      abortSignal: deadlineOf(signal),
      // The engine asks for it also where the registry asks for nothing.
      authconfig: { username, password, serveraddress: image.split('/')[0] ?? '' },
    })
  } catch (error) {
    throw toEngineError(error, `Pushing ${image}`)
  }
  const log = await followed(engine, output, `Pushing ${image}`)
  if (log.error !== null)
    throw new SandboxError('image', `The image ${image} could not be pushed: ${log.error}`, {
      retryable: true,
    })
}

/** Without a tag the engine would fetch all of them. */
function withTag(image: string): string {
  const name = image.slice(image.lastIndexOf('/') + 1)
  return /[:@]/.test(name) ? image : `${image}:latest`
}

/** Reads the whole progress; an error in it is the answer, one of the connection is the engine's absence. */
async function followed(
  engine: Engine,
  output: NodeJS.ReadableStream,
  operation: string,
  say: (line: string) => void = () => undefined,
): Promise<{ readonly text: string; readonly error: string | null }> {
  let text = ''
  let error: string | null = null
  await new Promise<void>((resolve, reject) => {
    const each = (line: Progress): void => {
      text = `${text}${line.stream ?? ''}`.slice(-4 * tailChars)
      for (const part of (line.stream ?? line.error ?? '').split('\n'))
        if (part.trim() !== '') say(part.trimEnd())
      if (line.error !== undefined) error = line.error.trim()
    }
    const end = (failure: Error | null): void => {
      if (failure === null || error !== null) resolve()
      else reject(toEngineError(failure, operation))
    }
    engine.docker.modem.followProgress(output, end, each)
  })
  return { text: text.trim(), error }
}
