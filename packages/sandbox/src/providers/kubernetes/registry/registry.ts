import { createHash } from 'node:crypto'
import { z } from 'zod'
import { SandboxError } from '../../../sandbox-error.ts'
import type { RegistryAnswer, AskRegistry } from './registry-request.ts'
import { readReference, type Reference } from './reference.ts'
import { bearerFor } from './registry-token.ts'

const List = z.object({
  manifests: z.array(
    z.object({
      digest: z.string(),
      platform: z.object({ os: z.string(), architecture: z.string() }).optional(),
    }),
  ),
})
const Manifest = z.object({
  config: z.object({ digest: z.string(), size: z.number() }),
  layers: z.array(z.object({ size: z.number() })),
})
const Config = z.object({
  config: z
    .object({
      Entrypoint: z.array(z.string()).nullish(),
      Cmd: z.array(z.string()).nullish(),
      Env: z.array(z.string()).nullish(),
      WorkingDir: z.string().nullish(),
      User: z.string().nullish(),
    })
    .nullish(),
})

/** An image as its registry describes it. */
export interface DescribedImage {
  /** With its digest: it never means another image. */
  readonly name: string
  readonly digest: string
  readonly bytes: number
  readonly config: NonNullable<z.infer<typeof Config>['config']>
}

/** Reads images of registries by the distribution API of the Open Container Initiative, version 1.1. */
export type Registry = (image: string, signal: AbortSignal) => Promise<DescribedImage>

const accept = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ')
const architecture = process.arch === 'x64' ? 'amd64' : process.arch
const maxRedirects = 3

/** `own` is the operator's registry, which may be asked without TLS; `login` a `user:password` for a host. */
export function createRegistry(parts: {
  readonly ask: AskRegistry
  readonly own: URL | null
  readonly login: (host: string) => Promise<string | null>
}): Registry {
  const { ask, own, login } = parts
  const get = async (at: Reference, path: string, signal: AbortSignal): Promise<RegistryAnswer> => {
    const isPlain = own !== null && own.host === at.host && own.protocol === 'http:'
    const url = new URL(`${isPlain ? 'http' : 'https'}://${at.host}/v2/${at.repository}/${path}`)
    const first = await ask(url, { accept }, signal)
    if (first.status !== 401) return followed(ask, url, first, signal)
    const authorization = await bearerFor(ask, first, await login(at.host), signal)
    return followed(ask, url, await ask(url, { accept, authorization }, signal), signal)
  }
  return async (image, signal) => {
    const at = readReference(image)
    const read = async <T>(path: string, shape: z.ZodType<T>): Promise<{ value: T; digest: string }> => {
      const answer = await get(at, path, signal)
      if (answer.status !== 200) throw refusal(image, at, answer)
      const digest = `sha256:${createHash('sha256').update(answer.body).digest('hex')}`
      const wanted = path.slice(path.lastIndexOf('/') + 1)
      if (wanted.startsWith('sha256:') && wanted !== digest)
        throw new SandboxError(
          'image',
          `The registry ${at.host} gave something else than ${wanted} of ${image}.`,
        )
      return { value: shape.parse(JSON.parse(answer.body.toString('utf8'))), digest }
    }
    const top = await read(`manifests/${at.version}`, z.union([List, Manifest]))
    const manifest =
      'layers' in top.value ? top.value : (await read(`manifests/${ours(top.value, image)}`, Manifest)).value
    const { value } = await read(`blobs/${manifest.config.digest}`, Config)
    const bytes = manifest.layers.reduce((sum, { size }) => sum + size, manifest.config.size)
    return { name: `${at.name}@${top.digest}`, digest: top.digest, bytes, config: value.config ?? {} }
  }
}

/** A registry may keep its blobs elsewhere, which is asked without what opened the registry. */
async function followed(
  ask: AskRegistry,
  from: URL,
  answer: RegistryAnswer,
  signal: AbortSignal,
): Promise<RegistryAnswer> {
  let [at, found] = [from, answer]
  for (let count = 0; count < maxRedirects; count += 1) {
    const to = [301, 302, 303, 307, 308].includes(found.status) ? found.headers.location : undefined
    if (to === undefined) return found
    at = new URL(to, at)
    found = await ask(at, { accept: '*/*' }, signal)
  }
  return found
}

function ours({ manifests }: z.infer<typeof List>, image: string): string {
  const found = manifests.find(
    ({ platform }) => platform?.os === 'linux' && platform.architecture === architecture,
  )
  if (found === undefined)
    throw new SandboxError('image', `The image ${image} has none for linux/${architecture}; push one.`)
  return found.digest
}

function refusal(image: string, { host }: Reference, { status }: RegistryAnswer): SandboxError {
  if (status === 404)
    return new SandboxError(
      'image',
      `The registry ${host} has no image ${image}; push it, or correct its name.`,
    )
  if (status === 401 || status === 403)
    return new SandboxError(
      'image',
      `The registry ${host} does not give ${image} to this platform; the operator may log it in with SVC_KUBERNETES_PULL_SECRET.`,
    )
  return new SandboxError('network', `The registry ${host} answered ${status} for ${image}.`, {
    retryable: true,
  })
}
