import type { V1PersistentVolumeClaim } from '@kubernetes/client-node'
import { z } from 'zod'
import type { SandboxSpec, TemplateWish } from '../../../provider.ts'
import { SandboxError } from '../../../sandbox-error.ts'
import { podSpecAnnotation } from './labels.ts'
import type { KubernetesProviderOptions } from '../options.ts'
import type { PodInput } from './pod-manifest.ts'

const PodSpec = z.object({
  image: z.string().nullable(),
  /** The template's command beside the daemon. */
  entrypoint: z.string().nullable(),
  cpu: z.number().nullable(),
  memory_mb: z.number().nullable(),
  labels: z.record(z.string(), z.string()),
})

/** The recipe of a pod at every start; kept on the claim, since a stopped sandbox has no pod. */
export type PodSpec = z.infer<typeof PodSpec>

/** A cluster has no engine that builds. */
export function dockerfileRefusal({ slug, dockerfile }: TemplateWish): string | null {
  if (dockerfile === undefined) return null
  return `The template ${slug} has a Dockerfile, which nothing builds on the provider kubernetes: push its image to a registry and name it as the template's image.`
}

export function podSpecOf(spec: SandboxSpec): PodSpec {
  return {
    image: spec.template?.image ?? null,
    entrypoint: spec.template?.entrypoint ?? null,
    cpu: spec.limits?.cpu ?? null,
    memory_mb: spec.limits?.memory_mb ?? null,
    labels: { ...spec.labels },
  }
}

export function readPodSpec(claim: V1PersistentVolumeClaim): PodSpec {
  const text = claim.metadata?.annotations?.[podSpecAnnotation]
  try {
    return PodSpec.parse(JSON.parse(text ?? ''))
  } catch (cause) {
    throw new SandboxError(
      'internal',
      `The claim ${claim.metadata?.name} does not say how its sandbox is made.`,
      {
        cause,
      },
    )
  }
}

/** Set by the cluster in every container; a sandbox has no business with its API. */
const portVariables = ['', '_ADDR', '_PORT', '_PROTO'].map((end) => `KUBERNETES_PORT_443_TCP${end}`)
export const clusterVariables = [
  'HOSTNAME',
  'KUBERNETES_PORT',
  'KUBERNETES_SERVICE_HOST',
  'KUBERNETES_SERVICE_PORT',
  'KUBERNETES_SERVICE_PORT_HTTPS',
  ...portVariables,
]

/**
 * The image's own path stays, with the tools at its end. A template's command, the shell's first argument, runs beside;
 * the shell itself becomes the entrypoint, which stays the first process.
 */
export const startScript = [
  `unset ${clusterVariables.join(' ')}`,
  'export PATH="$PATH:/opt/svc/tools/bin"',
  'if [ -n "$1" ]; then /bin/sh -c "$1" & fi',
  'exec svc-entrypoint',
].join('\n')

/** A sandbox without an image of its own takes the platform's present one, and with it its present tools. */
export function podInputOf(
  options: Pick<
    KubernetesProviderOptions,
    'deployment' | 'image' | 'runtime_class' | 'pull_secret' | 'limits'
  >,
  name: string,
  podSpec: PodSpec,
  prepared: boolean,
): PodInput {
  return {
    name,
    deployment: options.deployment,
    labels: podSpec.labels,
    image: podSpec.image ?? options.image,
    command: ['/bin/sh', '-c', startScript, 'svc-start', podSpec.entrypoint ?? ''],
    runtime_class: options.runtime_class,
    pull_secret: options.pull_secret,
    limits: {
      cpu: podSpec.cpu ?? options.limits.cpu,
      memory_mb: podSpec.memory_mb ?? options.limits.memory_mb,
    },
    prepared,
  }
}
