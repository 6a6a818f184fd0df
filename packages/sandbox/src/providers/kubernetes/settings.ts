import { z } from 'zod'
import type { KubernetesProviderOptions } from './options.ts'

const name = z
  .string()
  .regex(/^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/, 'a name of Kubernetes, such as fast-ssd')
const seconds = z.coerce.number().int().min(1).max(3_600)
const parts = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
const list = z.string().transform(parts)
const ports = z
  .string()
  .regex(/^\d{1,5}( *, *\d{1,5})*$/, 'ports, by commas')
  .transform((text) => parts(text).map(Number))
  .refine((found) => found.every((port) => port >= 1 && port <= 65_535), 'ports from 1 to 65535')

/** The settings of the Kubernetes provider, for the apps that offer it. */
export const kubernetesEnv = {
  SVC_KUBERNETES_KUBECONFIG: z
    .string()
    .min(1)
    .optional()
    .describe('a kubeconfig file; without it, the service account of the pod that this runs in'),
  SVC_KUBERNETES_CONTEXT: z.string().min(1).optional().describe('a context of the kubeconfig'),
  SVC_KUBERNETES_NAMESPACE: name.optional().describe('where the sandboxes are'),
  SVC_KUBERNETES_IMAGE: z.string().min(1).optional().describe('the image of the sandboxes, with their tools'),
  SVC_KUBERNETES_HARNESSES: list
    .refine((found) => found.every((one) => /^[a-z0-9-]+@[\w.-]+$/.test(one)), 'name@version each, by commas')
    .default([])
    .describe('the harnesses in that image, as make-image.mjs prints them'),
  SVC_KUBERNETES_STORAGE_CLASS: name.optional().describe('the class of their volumes'),
  SVC_KUBERNETES_RUNTIME_CLASS: name.optional().describe('such as gvisor'),
  SVC_KUBERNETES_PULL_SECRET: name
    .optional()
    .describe('a secret of their namespace with which nodes fetch images, of the type dockerconfigjson'),
  SVC_APPS_REGISTRY: z
    .url({ protocol: /^https?$/ })
    .transform((text) => new URL(text))
    .optional()
    .describe(
      'where images of apps are pushed that SVC_APPS_ENGINE builds, such as https://registry.example.com/apps',
    ),
  SVC_APPS_ENGINE: z
    .string()
    .regex(/^unix:\/\/\/\S+$/, 'must be unix:///path, an engine on this machine')
    .optional()
    .describe('the Docker engine that builds images of apps, for SVC_APPS_REGISTRY'),
  SVC_KUBERNETES_PLATFORM: list
    .default([])
    .describe(
      'namespaces and networks that reach the sandboxes, by commas; in a cluster, the worker’s namespace',
    ),
  SVC_KUBERNETES_PLATFORM_PORTS: ports
    .default([7700])
    .describe('the ports of the API’s and the gateway’s pods, by commas'),
  SVC_KUBERNETES_CPU: z.coerce.number().min(0.1).max(256).default(2).describe('cores of a sandbox'),
  SVC_KUBERNETES_MEMORY_MB: z.coerce.number().int().min(128).default(4_096).describe('memory of a sandbox'),
  SVC_KUBERNETES_DISK_MB: z.coerce.number().int().min(64).default(10_240).describe('volume of a sandbox'),
  SVC_KUBERNETES_START_SECONDS: seconds
    .default(180)
    .describe('how long a pod may take to run, its image pulled'),
  SVC_KUBERNETES_SCHEDULE_SECONDS: seconds
    .default(60)
    .describe('how long a pod may wait for a node with room; minutes where nodes are added on demand'),
}

export type KubernetesEnv = z.infer<z.ZodObject<typeof kubernetesEnv>>

export type KubernetesSettings = Omit<KubernetesProviderOptions, 'deployment' | 'egress' | 'api_url' | 'log'>

export function kubernetesSettings(env: KubernetesEnv): KubernetesSettings {
  return {
    kubeconfig: env.SVC_KUBERNETES_KUBECONFIG ?? null,
    context: env.SVC_KUBERNETES_CONTEXT ?? null,
    namespace: env.SVC_KUBERNETES_NAMESPACE ?? null,
    image: env.SVC_KUBERNETES_IMAGE ?? '',
    harnesses: env.SVC_KUBERNETES_HARNESSES,
    storage_class: env.SVC_KUBERNETES_STORAGE_CLASS ?? null,
    runtime_class: env.SVC_KUBERNETES_RUNTIME_CLASS ?? null,
    pull_secret: env.SVC_KUBERNETES_PULL_SECRET ?? null,
    apps_registry: env.SVC_APPS_REGISTRY ?? null,
    apps_engine: env.SVC_APPS_ENGINE ?? null,
    platform: env.SVC_KUBERNETES_PLATFORM,
    platform_ports: env.SVC_KUBERNETES_PLATFORM_PORTS,
    limits: {
      cpu: env.SVC_KUBERNETES_CPU,
      memory_mb: env.SVC_KUBERNETES_MEMORY_MB,
      disk_mb: env.SVC_KUBERNETES_DISK_MB,
    },
    deadlines: {
      start_ms: env.SVC_KUBERNETES_START_SECONDS * 1000,
      schedule_ms: env.SVC_KUBERNETES_SCHEDULE_SECONDS * 1000,
    },
  }
}
