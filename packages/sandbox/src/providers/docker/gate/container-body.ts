import { z } from 'zod'
import { isExternalId } from '../../../shared/external-id.ts'
import { storeBind } from '../containers/container-options.ts'
import { programEntrypoint, withheldVariables } from '../../../engine/image-files.ts'
import { containerName, deploymentLabel, sandboxLabel } from '../containers/containers.ts'
import { dockerPaths } from '../paths.ts'

/** The deployment that a gate stands for, and the settings of its sandboxes. */
export interface GateRules {
  /** The folder of the docker provider, under the path that the engine sees. */
  readonly root: string
  /** The store of harnesses, under the path that the engine sees. */
  readonly harnesses: string
  readonly scope: string
  readonly runtime?: string | undefined
  readonly build_network: string
}

/** Labels of a deployment are its scope and a mark of its folder's key. */
export function isOwnDeployment({ scope }: GateRules, label: unknown): boolean {
  return (
    typeof label === 'string' &&
    label.startsWith(`${scope}-`) &&
    /^[0-9a-f]{12}$/.test(label.slice(scope.length + 1))
  )
}

const bytes = z.number().int().min(0)

/** A container as `containerOptions` writes it. A key that is not here is refused, however it is spelled. */
const HostConfig = z.strictObject({
  NetworkMode: z.literal('none'),
  ExtraHosts: z.array(z.string().regex(/^[\w.-]+:127\.\d+\.\d+\.\d+$/)),
  /** A program of an image has no store of harnesses. */
  Binds: z.tuple([z.string()]).or(z.tuple([z.string(), z.string()])),
  Tmpfs: z.strictObject({ '/run/svc': z.string().regex(/^rw,nosuid,nodev,noexec,[\w=,]+$/) }).optional(),
  Init: z.literal(true).optional(),
  CapDrop: z.tuple([z.literal('ALL')]),
  SecurityOpt: z.tuple([z.literal('no-new-privileges')]),
  Privileged: z.literal(false),
  IpcMode: z.literal('private'),
  Sysctls: z.strictObject({ 'net.ipv4.ip_unprivileged_port_start': z.literal('0') }),
  RestartPolicy: z.strictObject({ Name: z.literal('no') }),
  LogConfig: z.strictObject({
    Type: z.literal('json-file'),
    Config: z.strictObject({ 'max-size': z.string(), 'max-file': z.string() }),
  }),
  Memory: bytes.optional(),
  MemorySwap: bytes.optional(),
  PidsLimit: bytes.optional(),
  NanoCpus: bytes.optional(),
  Ulimits: z.tuple([z.strictObject({ Name: z.literal('fsize'), Soft: bytes, Hard: bytes })]).optional(),
  StorageOpt: z.strictObject({ size: z.string().regex(/^\d+M$/) }).optional(),
  Runtime: z.string().optional(),
})

/** The entrypoint of a program in an image of any kind, and the variables that are taken from Node there. */
const program = {
  Entrypoint: z.tuple(programEntrypoint.map((word) => z.literal(word)) as [z.ZodLiteral, ...z.ZodLiteral[]]),
  Cmd: z.tuple([]),
}
const Variable = z.union([
  z.string().regex(/^SVC_SANDBOX_ID=/),
  z.enum(withheldVariables.map((name) => `${name}=`)),
])

const Body = z.strictObject({
  name: z.string(),
  Image: z.string().min(1),
  Hostname: z.literal('sandbox'),
  /** Never root by that name or number; one that is root by another name is refused by the container's own start. */
  User: z.string().regex(/^(?!(0+|root)(:|$))[\w.-]+(:[\w.-]+)?$/),
  WorkingDir: z.enum(['/workspace', '/']),
  Env: z.array(Variable).max(1 + withheldVariables.length),
  Entrypoint: program.Entrypoint.optional(),
  Cmd: program.Cmd.optional(),
  Labels: z.record(z.string().regex(/^(svc\.[a-z]+|[a-z]+_id)$/), z.string()),
  AttachStdout: z.literal(false),
  AttachStderr: z.literal(false),
  HostConfig,
  /** The client's own, which it writes into the body. */
  abortSignal: z.unknown().optional(),
})

export type ContainerVerdict =
  | { readonly refused: string }
  | {
      readonly refused: null
      readonly name: string
      readonly binds: readonly string[]
      readonly body: string
    }

/** The verdict on a container: the body is written anew, so that the engine reads nothing else than was judged. */
export function judgeContainer(rules: GateRules, name: string | null, text: string): ContainerVerdict {
  const parsed = Body.safeParse(jsonOf(text))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const place = issue?.path.join('.') || 'the body'
    const keys = issue?.code === 'unrecognized_keys' ? ` (${issue.keys.join(', ')})` : ''
    return { refused: `${place}${keys} is not as the provider writes it` }
  }
  const { name: _, abortSignal: __, ...body } = parsed.data
  const id = body.Labels[sandboxLabel] ?? ''
  if (!isExternalId(id) || name !== containerName(id))
    return { refused: 'the name is not that of its sandbox' }
  if (!isOwnDeployment(rules, body.Labels[deploymentLabel]))
    return { refused: 'the label is not that of this deployment' }
  const binds = body.HostConfig.Binds
  if (binds[0] !== `${dockerPaths(rules.root, id).shared}:/run/svc-platform:ro`)
    return { refused: "the bind is not the sandbox's own folder" }
  // In an image of any kind there is nothing but the entrypoint of programs.
  const isProgram = body.Entrypoint !== undefined
  if (isProgram !== (body.WorkingDir === '/') || isProgram !== (body.HostConfig.Tmpfs === undefined))
    return { refused: 'it is neither a session nor a program' }
  if (isProgram ? binds.length !== 1 : binds[1] !== storeBind(rules.harnesses))
    return { refused: 'the second bind is not the store of harnesses' }
  if (!isProgram && body.User !== '1000:1000') return { refused: 'the user is not the one of sandboxes' }
  if (body.HostConfig.Runtime !== rules.runtime)
    return { refused: 'the runtime is not the one of the settings' }
  return { refused: null, name, binds, body: JSON.stringify(body) }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
