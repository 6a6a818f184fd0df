import type { V1Pod } from '@kubernetes/client-node'
import { logTail } from '../../shared/log-tail.ts'
import type { SandboxProvider } from '../../provider.ts'
import { noSuchSandbox } from '../../sandbox-error.ts'
import { adoptSandbox } from './steps/adopt-sandbox.ts'
import { toClusterError } from './cluster/api-failure.ts'
import { openCluster } from './cluster/cluster.ts'
import { checkOptions } from './check-options.ts'
import { connect } from './cluster/connect.ts'
import { createSandbox } from './steps/create-sandbox.ts'
import { describeKubernetes } from './describe-kubernetes.ts'
import { destroySandbox } from './steps/destroy-sandbox.ts'
import { endpointOf } from './state/endpoint.ts'
import { createTurns } from './cluster/in-turn.ts'
import { deploymentLabel, exitReportAnnotation, isOf, programName, sessionName } from './manifests/labels.ts'
import { exitOf, readExitReport } from './state/exit-report.ts'
import { externalIdOf, externalIdOfName, nameOf } from './manifests/names.ts'
import { defaultDeadlines, type KubernetesProviderOptions } from './options.ts'
import { containerName } from './manifests/pod-manifest.ts'
import { resumeSandbox } from './steps/resume-sandbox.ts'
import { environmentIn } from './manifests/secret-manifest.ts'
import { createProgram } from './programs/create-program.ts'
import { pushedBuilds } from './programs/pushed-builds.ts'
import { kubernetesImages } from './programs/kubernetes-images.ts'
import { loginIn } from './registry/login-in.ts'
import { createRegistry } from './registry/registry.ts'
import { registryRequests } from './registry/registry-request.ts'
import { podStateOf, statusOf } from './state/sandbox-state.ts'
import { stopSandbox } from './steps/stop-sandbox.ts'
import type { KubernetesContext } from './context.ts'
import { dockerfileRefusal } from './manifests/pod-spec.ts'
import { requireTemplate } from '../../shared/template-refusal.ts'

/**
 * Sandboxes as pods of a cluster, each with a volume claim of its own. Everything is in the cluster: any worker of the
 * same deployment manages the same sandboxes.
 */
export async function createKubernetesProvider(given: KubernetesProviderOptions): Promise<SandboxProvider> {
  const connection = await connect(given)
  const { own_namespace } = connection
  const options =
    given.platform.length === 0 && own_namespace !== null ? { ...given, platform: [own_namespace] } : given
  checkOptions(options)
  const deadlines = { ...defaultDeadlines, ...options.deadlines }
  const cluster = openCluster(connection, deadlines.request_ms)
  const { apps_registry, apps_engine, pull_secret } = options
  const login = async (host: string) =>
    pull_secret === null ? null : loginIn(await cluster.findSecret(pull_secret), host)
  const ask = registryRequests(options.egress, apps_registry)
  const registry = createRegistry({ ask, own: apps_registry, login })
  const build =
    apps_registry === null || apps_engine === null
      ? null
      : pushedBuilds({
          ...options,
          ...{ apps_registry, apps_engine, registry },
          login: () => login(apps_registry.host),
        })
  const context: KubernetesContext = { options, deadlines, cluster, registry }
  const inTurn = createTurns()

  const of = <T extends Parameters<typeof isOf>[1]>(object: T | null) =>
    object !== null && isOf(options.deployment, object) ? object : null
  const podOf = async (name: string) => of(await cluster.findPod(name))
  const claimOf = async (name: string) => of(await cluster.findClaim(name))
  /** Does the work for ids that may name a sandbox of this deployment; gives `otherwise` for any other. */
  const named = <T>(
    external_id: string,
    operation: string,
    otherwise: T,
    work: (name: string) => Promise<T>,
  ) => {
    const name = nameOf(external_id)
    return name === null ? Promise.resolve(otherwise) : guarded(operation, () => work(name))
  }
  const labelled = (name: string) => `app.kubernetes.io/name=${name},${deploymentLabel}=${options.deployment}`
  const idsOf = (pods: readonly V1Pod[]) =>
    pods.flatMap(({ metadata }) => (metadata?.name === undefined ? [] : [externalIdOfName(metadata.name)]))
  const list = async () =>
    [...(await cluster.listClaims(labelled(sessionName))), ...(await cluster.listPods(labelled(programName)))]
      .filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
      .flatMap(({ metadata }) => (metadata?.name === undefined ? [] : [externalIdOfName(metadata.name)]))

  const provider: SandboxProvider = {
    name: 'kubernetes',
    describe: () => describeKubernetes(options),
    runs: { processes: true, images: true, dockerfiles: build !== null },
    images: kubernetesImages(registry, build),
    harnesses: () => options.harnesses,
    identify: (sandbox_id) => externalIdOf(options.deployment, sandbox_id),
    refusal: dockerfileRefusal,
    create: (spec, signal) => {
      const external_id = externalIdOf(options.deployment, spec.sandbox_id)
      const name = nameOf(external_id) ?? external_id
      return inTurn(name, () =>
        guarded('Creating a sandbox', async () => {
          if (spec.workload === 'program')
            return { external_id, endpoint: await createProgram(context, name, spec, signal) }
          requireTemplate(provider, spec.template)
          return { external_id, endpoint: await createSandbox(context, name, spec, signal) }
        }),
      )
    },
    start: async (external_id, environment) => {
      const name = nameOf(external_id)
      if (name === null) throw noSuchSandbox(external_id)
      const endpoint = await inTurn(name, () =>
        guarded('Starting a sandbox', () => resumeSandbox(context, name, environment)),
      )
      if (endpoint === null) throw noSuchSandbox(external_id)
      return { endpoint }
    },
    stop: (external_id) =>
      named(external_id, 'Stopping a sandbox', undefined, (name) =>
        inTurn(name, () => stopSandbox(context, name)),
      ),
    destroy: (external_id) =>
      named(external_id, 'Removing a sandbox', undefined, (name) =>
        inTurn(name, () => destroySandbox(context, name)),
      ),
    status: async (external_id) => {
      try {
        return await named(external_id, 'Looking at a sandbox', 'removed', async (name) => {
          const pod = await podOf(name)
          return statusOf(pod, await claimOf(name))
        })
      } catch (error) {
        options.log('warn', 'a sandbox cannot be looked at', { external_id, error: String(error) })
        return 'unknown'
      }
    },
    endpoint: (external_id) =>
      named(external_id, 'Looking for a sandbox', null, async (name) => {
        const pod = await podOf(name)
        return pod !== null && podStateOf(pod) === 'running' ? endpointOf(pod) : null
      }),
    touch: async (external_id) => {
      const claim = await named(external_id, 'Touching a sandbox', null, claimOf)
      if (claim === null || claim.metadata?.deletionTimestamp !== undefined) throw noSuchSandbox(external_id)
    },
    environment: (external_id) =>
      named(external_id, 'Reading a sandbox’s environment', null, async (name) => {
        const [claim, secret] = await Promise.all([claimOf(name), cluster.findSecret(name)])
        return claim === null || of(secret) === null ? null : environmentIn(secret)
      }),
    exitReport: (external_id) =>
      named(external_id, 'Reading a sandbox’s log', { exit: null, output: '' }, async (name) => {
        const pod = await podOf(name)
        if (pod === null || pod.metadata?.deletionTimestamp !== undefined) {
          const secret = of(await cluster.findSecret(name))
          return readExitReport(secret?.metadata?.annotations?.[exitReportAnnotation])
        }
        return { exit: exitOf(pod), output: logTail(Buffer.from(await cluster.logOf(name, containerName))) }
      }),
    list: () => guarded('Listing sandboxes', list),
    running: () =>
      guarded('Listing sandboxes', async () => {
        const pods = await cluster.listPods(labelled(sessionName))
        return new Set(idsOf(pods.filter((pod) => podStateOf(pod) === 'running')))
      }),
    adopt: async (external_id, environment) => {
      const isAdopted = await named(external_id, 'Handing over a sandbox', false, (name) =>
        inTurn(name, () => adoptSandbox(context, name, environment)),
      )
      if (!isAdopted) throw noSuchSandbox(external_id)
    },
    poolScope: () => ({
      // The namespace of the setting: a deployment's pool stays the same one however its worker is connected.
      place: [given.namespace],
      recipe: [JSON.stringify([options.image, options.limits, options.storage_class, options.runtime_class])],
      start_ms: deadlines.start_ms,
    }),
    close: async ({ stop_sandboxes }) => {
      if (stop_sandboxes)
        await Promise.all((await provider.list()).map((external_id) => provider.stop(external_id)))
    },
  }
  return provider
}

async function guarded<T>(operation: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toClusterError(error, operation)
  }
}
